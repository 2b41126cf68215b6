import { LockOpen } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ConfigIssue } from '../../../shared/model/source.ts';
import { useApp } from '../../bridge/live.ts';
import { hrefOf } from '../../bridge/place.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { countText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';

const none: readonly ConfigIssue[] = [];
const shownAtFirst = 3;

/** What is wrong with the files as a whole, and what stands in them that should not. */
export function ConfigProblems() {
  const problems = useApp((state) => state.problems) ?? none;
  const mistakes = useMemo(() => problems.filter((problem) => isMistake(problem)), [problems]);
  const open = problems.filter(({ code }) => code === 'plaintext-secret').length;
  return (
    <>
      {open === 0 ? null : <InTheOpen count={open} />}
      {mistakes.length === 0 ? null : <Mistakes problems={mistakes} />}
    </>
  );
}

/** Files that could not be read, with the place of each mistake. They are left as they are: the person corrects them. */
function Mistakes({ problems }: { readonly problems: readonly ConfigIssue[] }) {
  const [shownAll, setShownAll] = useState(false);
  const [first] = problems;
  const shown = shownAll ? problems : problems.slice(0, shownAtFirst);
  return (
    <ErrorNote
      tone="ask"
      what={
        problems.length === 1 && first
          ? `There is a mistake in ${first.file}.`
          : `There are ${countText(problems.length, 'mistake')} in your configuration.`
      }
      means={
        <>
          <span className="block">What can be read works. The file is left as it is, so correct it there.</span>
          <span className="mt-1.5 flex flex-col gap-1">
            {shown.map((problem) => (
              <span key={`${problem.file}:${problem.line}:${problem.message}`} className="block break-words text-ink select-text">
                <span className="font-code text-code">
                  {problem.file}
                  {problem.line === undefined ? '' : `, line ${problem.line}`}
                  {problem.column === undefined ? '' : `, column ${problem.column}`}
                </span>
                : <VisibleText text={problem.message} />
              </span>
            ))}
          </span>
        </>
      }
      action={
        problems.length > shownAtFirst
          ? { label: shownAll ? 'Show fewer' : `Show all ${problems.length}`, onPress: () => setShownAll(!shownAll) }
          : undefined
      }
    />
  );
}

/** An entry that cannot be used stands below the rows; text that looks secret is said apart. */
const isMistake = ({ code, severity, server }: ConfigIssue): boolean => code !== 'plaintext-secret' && !(severity === 'error' && server !== undefined);

const InTheOpen = ({ count }: { readonly count: number }) => (
  <p className="flex items-center gap-2 px-3 text-list text-ink-2">
    <LockOpen size={14} strokeWidth={1.75} className="shrink-0 text-ask" aria-hidden />
    {count === 1 ? 'A secret stands' : `${count} secrets stand`} in the open in your files.
    <a href={hrefOf({ page: 'settings', section: 'secrets' })} className="text-accent underline-offset-2 hover:underline">Move {count === 1 ? 'it' : 'them'} to the vault</a>
  </p>
);
