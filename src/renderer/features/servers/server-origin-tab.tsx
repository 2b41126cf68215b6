import { Pencil } from 'lucide-react';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { entryWords } from '../../bridge/entry-words.ts';
import { go } from '../../bridge/place.ts';
import { ProvenanceView } from '../../bridge/provenance-view.tsx';
import { useSourcesById } from '../../bridge/sources.ts';
import { Button } from '../../ui/button.tsx';

/** Which files made it what it is, and the way to change that. */
export function ServerOriginTab({ row: { definition, provenance } }: { readonly row: ServerRow }) {
  const sources = useSourcesById();
  const disabledBy = provenance.disabledBy === undefined ? undefined : sources.get(provenance.disabledBy)?.scope;
  return (
    <div className="flex max-w-(--column) flex-col gap-4">
      <div className="flex items-center gap-3 text-list">
        <p className="min-w-0 flex-1 text-ink-2">{entryWords(provenance.state, { disabledBy }).means}</p>
        <Button
          icon={<Pencil size={14} strokeWidth={1.75} aria-hidden />}
          onClick={() => go({ page: 'settings', section: definition.owner === 'project' ? 'project-servers' : 'global' })}
        >
          Change it in Settings
        </Button>
      </div>
      <ProvenanceView provenance={provenance} sources={sources} />
    </div>
  );
}
