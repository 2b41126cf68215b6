import type { ServerRow } from '../../../shared/state/app-state.ts';
import { entryWords } from '../../bridge/entry-words.ts';
import { Badge } from '../../ui/badge.tsx';

/** Whose it is. */
export const ownerWord = ({ definition: { owner } }: Pick<ServerRow, 'definition'>): string =>
  owner === 'built-in' ? 'Built in' : owner === 'project' ? 'Project' : 'Global';

/** Whose it is, and whether a file stands over another. What is as usual is not said. */
export function OriginBadges({ row, className }: { readonly row: ServerRow; readonly className?: string }) {
  const { state } = row.provenance;
  const unusual = state === 'overridden' || state === 'masked' || state === 'untrusted' || state === 'invalid';
  const words = entryWords(state);
  return (
    <span className={className}>
      <Badge>{ownerWord(row)}</Badge>
      {unusual ? <span title={words.means}><Badge tone={words.tone}>{words.word}</Badge></span> : null}
    </span>
  );
}
