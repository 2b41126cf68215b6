import { FileWarning } from 'lucide-react';
import { useState } from 'react';
import type { SourceEntry, SourceView } from '../../../shared/model/source.ts';
import { entryWords, sourceName } from '../../bridge/entry-words.ts';
import { placeText } from '../../bridge/provenance-view.tsx';
import { useSources } from '../../bridge/sources.ts';
import { copyText } from '../../bridge/tool-detail.tsx';
import { askTrust } from '../../bridge/trust-ask.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/code-block.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';

interface Unused {
  readonly source: SourceView;
  readonly entry: SourceEntry;
}
/** Entries of files that run nothing and stand in no row: those that wait for trust, and those with a mistake. */
const unusedEntries = (sources: readonly SourceView[]): readonly Unused[] =>
  sources.flatMap((source) => source.entries.filter(({ state }) => state === 'untrusted' || state === 'invalid').map((entry) => ({ source, entry })));

const shownAtFirst = 5;

/** What is configured and cannot be used, where it stands, and the one next step. */
export function UnusedEntries() {
  const asked = useSources();
  const [all, setAll] = useState(false);
  const unused = asked.phase === 'ready' ? unusedEntries(asked.value) : [];
  if (unused.length === 0) return null;
  return (
    <section aria-labelledby="unused-entries" className="flex flex-col">
      <h2 id="unused-entries" className="mb-1 px-3 text-detail font-[550] text-ink-3">Configured and not in use</h2>
      <ul className="border-t border-line">
        {(all ? unused : unused.slice(0, shownAtFirst)).map(({ source, entry }, index) => <UnusedRow key={`${source.id} ${entry.name} ${index}`} source={source} entry={entry} />)}
      </ul>
      {unused.length > shownAtFirst ? (
        <Button look="plain" size="s" className="mt-1 self-start" onClick={() => setAll(!all)}>{all ? 'Show fewer' : `Show all ${unused.length}`}</Button>
      ) : null}
    </section>
  );
}

function UnusedRow({ source, entry }: Unused) {
  const words = entryWords(entry.state);
  const where = placeText(source.path ?? sourceName(source, source.id), entry.place);
  return (
    <li className="flex min-w-0 items-center gap-3 border-b border-line px-3 py-2 text-list">
      <FileWarning size={16} strokeWidth={1.75} className={words.tone === 'bad' ? 'shrink-0 text-bad' : 'shrink-0 text-ask'} aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 items-center gap-2">
          <span className="min-w-0 truncate font-semibold text-ink-2"><VisibleText text={entry.name} /></span>
          <Badge tone={words.tone}>{words.word}</Badge>
        </p>
        <p className="text-detail break-words text-ink-2 select-text"><VisibleText text={entry.problem ?? entry.target ?? words.means} /></p>
        <code className="block text-detail break-all text-ink-3 select-text"><VisibleText text={where} /></code>
      </div>
      {entry.state === 'untrusted' ? <Button size="s" onClick={askTrust}>Look at it…</Button> : <CopyButton text={where} onCopy={copyText} name="Copy path and line" />}
    </li>
  );
}
