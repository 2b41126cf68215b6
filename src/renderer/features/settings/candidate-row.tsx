import clsx from 'clsx';
import { Plus } from 'lucide-react';
import { useId } from 'react';
import type { DiscoveredSource } from '../../../shared/model/exchange.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useRequest } from '../../bridge/request-state.ts';
import { useSources } from '../../bridge/sources.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Switch } from '../../ui/switch.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { clientWords } from './client-words.ts';
import { offersOf } from './discovery-rows.ts';
import { transportWords } from './scope-row.tsx';
import { offerKey, type Offered } from './picks.ts';

/** A program's file: where it is, whose it is, and all of its servers at once. */
export function SourceHead({ source, chosen, onChoose, onAdd }: {
  readonly source: DiscoveredSource;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (keys: readonly string[], on: boolean) => void;
  readonly onAdd: (offers: readonly Offered[]) => void;
}) {
  const offers = offersOf(source);
  const fresh = offers.filter(({ candidate }) => !candidate.alreadyConfigured);
  const keys = fresh.map(offerKey);
  const all = keys.length > 0 && keys.every((key) => chosen.has(key));
  return (
    <div className="pt-3">
      <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1.5 rounded-t-card border border-line bg-sunken px-3 py-2">
        {fresh.length > 0 ? <Checkbox checked={all} onChange={(on) => onChoose(keys, on)} label={<span className="sr-only">Choose all of {source.label}</span>} /> : null}
        <div className="min-w-0 flex-1 basis-48 text-list">
          <p className="flex min-w-0 items-center gap-2">
            <span className="truncate font-semibold text-ink">{source.label}</span>
            <Badge>{source.scope === 'project' ? 'Project' : 'Global'}</Badge>
          </p>
          <code className="block truncate text-detail text-ink-3 select-text" title={source.path}><VisibleText text={source.path} /></code>
          {source.project === undefined ? null : <p className="truncate text-detail text-ink-3">for <code><VisibleText text={source.project} /></code></p>}
        </div>
        {clientWords[source.client].follow ? <Follow source={source} /> : null}
        {fresh.length > 1 ? <Button size="s" onClick={() => onAdd(fresh)}>Add all {fresh.length}…</Button> : null}
      </div>
    </div>
  );
}

/** `imports`: the program's servers as they stand in its file, now and later (F-8). */
function Follow({ source }: { readonly source: DiscoveredSource }) {
  const id = useId();
  const sources = useSources();
  const { state, run } = useRequest();
  const on = sources.phase === 'ready' && sources.value.some(({ kind, id: found }) => kind === 'import' && (found === `import:${source.client}` || found.startsWith(`import:${source.client}-`)));
  return (
    <>
      <label htmlFor={id} title="Its servers count as they stand in its file, now and later. Saved at once." className="text-detail text-ink-2">Follow {clientWords[source.client].name}</label>
      <Switch id={id} checked={on} disabled={state.phase === 'sending' || sources.phase !== 'ready'} onChange={(next) => run(() => api.exchange.setImport({ client: source.client, on: next }))} />
      {state.phase === 'failed' ? <div className="basis-full"><FailureNote error={state.error} compact /></div> : null}
    </>
  );
}

/** A server that was found. It is only text: nothing of it was started or contacted. */
export function CandidateRow({ offered, last, chosen, onChoose, onAdd }: {
  readonly offered: Offered;
  readonly last: boolean;
  readonly chosen: boolean;
  readonly onChoose: (on: boolean) => void;
  readonly onAdd: () => void;
}) {
  const { candidate } = offered;
  return (
    <div className={clsx('flex min-h-12 min-w-0 items-center gap-3 border-x border-b border-line bg-card px-3 py-1.5', last && 'rounded-b-card')}>
      <Checkbox checked={chosen} onChange={onChoose} label={<span className="sr-only">Choose {candidate.name}</span>} />
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-1 text-list">
          <span className="min-w-0 truncate font-[550] text-ink"><VisibleText text={candidate.name} /></span>
          <Badge>{transportWords[candidate.transport.type]}</Badge>
          {candidate.enabled ? null : <Badge>Off</Badge>}
          {candidate.alreadyConfigured ? <Badge tone="ok">Configured</Badge> : null}
          {candidate.hasPlaintextSecrets ? <Badge tone="ask">Has secrets</Badge> : null}
        </p>
        <code className="block truncate text-detail text-ink-3" title={candidate.target}><VisibleText text={candidate.target} /></code>
      </div>
      <Button size="s" icon={<Plus size={13} strokeWidth={2} aria-hidden />} onClick={onAdd}>Add<span className="sr-only"> {candidate.name}</span>…</Button>
    </div>
  );
}
