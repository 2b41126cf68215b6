import { create } from 'zustand';
import type { ConfigScope } from '../../../shared/model/config-value.ts';

/** Which profile, across projects. */
export interface ProfilePlace {
  readonly name: string;
  readonly scope: ConfigScope;
  /** Whose, for a project's. */
  readonly project: string | undefined;
}
/** What was typed into a profile and is not saved. `seen` is the mark of the file as it was then; `absent`: it is a new one. */
export interface ProfileDraft extends ProfilePlace {
  readonly text: string;
  readonly seen: string;
}

const useKept = create<{ readonly drafts: readonly ProfileDraft[] }>(() => ({ drafts: [] }));
const isOf = (place: ProfilePlace) => (draft: ProfileDraft) =>
  draft.name === place.name && draft.scope === place.scope && (place.scope === 'global' || draft.project === place.project);

/** As long as the window lives; in the order in which they were begun. */
export const useProfileDrafts = (): readonly ProfileDraft[] => useKept(({ drafts }) => drafts);
export const useProfileDraft = (place: ProfilePlace): ProfileDraft | undefined => useKept(({ drafts }) => drafts.find(isOf(place)));

export function keepProfileDraft(draft: ProfileDraft): void {
  useKept.setState(({ drafts }) => ({ drafts: drafts.some(isOf(draft)) ? drafts.map((one) => (isOf(draft)(one) ? draft : one)) : [...drafts, draft] }));
}
export function dropProfileDraft(place: ProfilePlace): void {
  useKept.setState(({ drafts }) => ({ drafts: drafts.filter((one) => !isOf(place)(one)) }));
}

/** `global/work`: how a place names a profile. */
export const profilePath = ({ scope, name }: Pick<ProfilePlace, 'scope' | 'name'>): string => `${scope}/${name}`;
export function placeOfPath(path: string, project: string | undefined): ProfilePlace {
  const [scope, ...rest] = path.split('/');
  return { scope: scope === 'project' ? 'project' : 'global', name: rest.join('/'), project };
}
