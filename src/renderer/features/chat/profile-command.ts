import type { ProfileReport } from '../../../shared/model/profile.ts';
import { factsText } from '../../bridge/profile-facts.ts';
import { choosable, firstProblem } from './profile-standing.ts';

/** One line of the list above the composer for `/profile NAME`. */
export interface ProfileOffer {
  readonly text: string;
  readonly label: string;
  readonly says: string;
  /** What Enter chooses, `null` for none; `undefined`: Enter writes the text and waits for a name. */
  readonly profile: string | null | undefined;
}
const word = '/profile';

/** Whether this is the command, or may become it, and nothing for a model or a search. */
export const isProfileCommand = (text: string): boolean => (text.length > 1 && word.startsWith(text)) || /^\/profile\s.*$/.test(text);

/** What may be meant: the command while it is typed, then names, those that begin like it first. `reports` is `undefined` until somebody has looked. */
export function profileOffers(text: string, reports: readonly ProfileReport[] | undefined, chosen: string | undefined): readonly ProfileOffer[] {
  if (text !== '' && word.startsWith(text)) return [{ text: `${word} `, label: word, says: 'Choose the profile of this chat, from its next run on', profile: undefined }];
  if (!isProfileCommand(text)) return [];
  const typed = text.slice(word.length).trim().toLowerCase();
  const names = choosable(reports ?? [], chosen);
  const begins = names.filter(({ name }) => name.toLowerCase().startsWith(typed));
  const holds = names.filter((report) => !begins.includes(report) && report.name.toLowerCase().includes(typed));
  const none = chosen !== undefined && !names.some(({ name }) => name === 'none') && ['none', 'no profile'].some((one) => one.startsWith(typed));
  return [
    ...[...begins, ...holds].map((report): ProfileOffer => ({ text: `${word} ${report.name}`, label: report.name, says: saysOf(report), profile: report.name })),
    ...(none ? [{ text: `${word} none`, label: 'none', says: 'No profile: runs as they are', profile: null }] : []),
  ];
}

const saysOf = (report: ProfileReport): string => {
  const problem = firstProblem(report);
  return problem ? `Has a problem: ${problem.message}` : report.description || factsText(report);
};
