import { useState } from 'react';
import type { ConfigIssue } from '../../../shared/model/source.ts';
import { useApp } from '../../bridge/live.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { countText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';

const none: readonly ConfigIssue[] = [];
const shownAtFirst = 3;

/** Files that could not be read, with the place of each mistake. They are left as they are: the person corrects them. */
export function ConfigProblems() {
  const problems = useApp((state) => state.problems) ?? none;
  const [all, setAll] = useState(false);
  if (problems.length === 0) return null;
  const [first] = problems;
  const shown = all ? problems : problems.slice(0, shownAtFirst);
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
          ? { label: all ? 'Show fewer' : `Show all ${problems.length}`, onPress: () => setAll(!all) }
          : undefined
      }
    />
  );
}
