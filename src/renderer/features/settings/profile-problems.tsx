import { Check, TriangleAlert } from 'lucide-react';
import type { ProfileReport } from '../../../shared/model/profile.ts';
import type { ConfigIssue } from '../../../shared/model/source.ts';
import { isError, placeWords } from '../../bridge/profile-facts.ts';
import { countText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { factsOf } from './profile-words.ts';

/** What is wrong with a text, as far as it was typed, each with the way to its place. */
export function ProfileProblems({ report, onJump }: { readonly report: ProfileReport; readonly onJump: (issue: ConfigIssue) => void }) {
  const { issues, path } = report;
  const errors = issues.filter(isError);
  const whole = errors.some(({ server }) => server === undefined);
  return (
    <section aria-label="Problems" className="flex flex-col gap-1.5">
      <p role="status" className="flex items-center gap-1.5 text-list text-ink-2">
        {errors.length === 0 ? <Check size={14} strokeWidth={2} className="text-ok" aria-hidden /> : <TriangleAlert size={14} strokeWidth={1.75} className="text-bad" aria-hidden />}
        {errors.length === 0 ? 'It can be used as it is.' : `${countText(errors.length, 'problem')}: ${whole ? 'it is not used like this.' : 'its run would go without these servers.'}`}
      </p>
      {issues.length === 0 ? null : (
        <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-card text-list">
          {issues.map((issue) => (
            <li key={`${issue.file} ${issue.code} ${issue.path} ${issue.line} ${issue.column}`} className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-0.5 px-3 py-1.5">
              <span className="min-w-0 flex-1 basis-64 break-words text-ink select-text">
                {isError(issue) ? null : <span className="text-ask">Note: </span>}
                {issue.code === 'plaintext-secret' ? <>A secret stands in the open. In its place write <code className="font-code text-code">{'{ secretRef = "its name", scope = "global" }'}</code>.</> : <VisibleText text={issue.message} />}
              </span>
              {issue.file === path || path === undefined ? (
                issue.line === undefined ? null : <button type="button" onClick={() => onJump(issue)} className="shrink-0 rounded-control text-detail text-accent underline-offset-2 hover:underline">{placeWords(issue)}</button>
              ) : (
                <code className="min-w-0 font-code text-detail break-all text-ink-3"><VisibleText text={`${issue.file}${issue.line === undefined ? '' : `:${issue.line}`}`} /></code>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What a run of it would have, with all that it builds on. */
export const ProfileFacts = ({ report }: { readonly report: ProfileReport }) => (
  <section aria-label="What a run of it has" className="flex flex-col gap-1.5">
    <h3 className="text-list font-[550] text-ink">What a run of it has</h3>
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 rounded-card border border-line bg-card px-3 py-2 text-list">
      {factsOf(report).map(({ name, text }) => (
        <div key={name} className="contents">
          <dt className="text-ink-3">{name}</dt>
          <dd className="min-w-0 break-words text-ink select-text"><VisibleText text={text} /></dd>
        </div>
      ))}
    </dl>
  </section>
);
