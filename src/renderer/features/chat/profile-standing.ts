import type { ProfileReport } from '../../../shared/model/profile.ts';
import type { ConfigIssue } from '../../../shared/model/source.ts';
import { isError, placeWords } from '../../bridge/profile-facts.ts';

/** How it stands with the profile that a chat has. */
export type ProfileStanding =
  | { readonly kind: 'none' }
  /** Nobody has looked yet. */
  | { readonly kind: 'unseen' }
  | { readonly kind: 'fine'; readonly report: ProfileReport }
  /** `used`: its runs have the rest of it. Otherwise they go on without it. */
  | { readonly kind: 'trouble'; readonly used?: ProfileReport; readonly word: string; readonly problem: string };

/** `reports` is what there is; `undefined` until it was asked for. */
export function standingOf(name: string | undefined, reports: readonly ProfileReport[] | undefined): ProfileStanding {
  if (name === undefined) return { kind: 'none' };
  if (!reports) return { kind: 'unseen' };
  const report = reports.find((one) => one.name === name && !one.shadowed);
  if (!report) return { kind: 'trouble', word: 'missing', problem: 'There is no profile of this name. Runs go on without it.' };
  const first = firstProblem(report);
  if (!first) return { kind: 'fine', report };
  const what = sentence(`${first.file === report.path ? '' : `${fileName(first.file)}, `}${placeWords(first)}: ${first.message}`);
  return first.server === undefined
    ? { kind: 'trouble', word: 'cannot be used', problem: `${what} Runs go on without it.` }
    : { kind: 'trouble', used: report, word: 'has a problem', problem: `${what} Runs go on without the server “${first.server}”.` };
}

const sentence = (text: string): string => text.replace(/[.\s]*$/, '.');
const fileName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;

/** The model that its runs have, unless the chat has one of its own. */
export const modelOf = (standing: ProfileStanding): string | undefined =>
  standing.kind === 'fine' ? standing.report.model : standing.kind === 'trouble' ? standing.used?.model : undefined;

/** What keeps all of it from being used, before what keeps one of its servers. */
export function firstProblem({ issues }: ProfileReport): ConfigIssue | undefined {
  const errors = issues.filter(isError);
  return errors.find(({ server }) => server === undefined) ?? errors[0];
}

/** Those of a name that a run would get. The built-in one is a run as it is without any; it is among them only where it was chosen. */
export const choosable = (reports: readonly ProfileReport[], chosen: string | undefined): readonly ProfileReport[] =>
  reports.filter(({ name, scope, shadowed }) => !shadowed && (scope !== 'built-in' || name === chosen)).toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
