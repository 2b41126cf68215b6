import * as z from 'zod';
import { ConfigScope } from '../../model/config-value.ts';
import type { ProfileReport } from '../../model/profile.ts';
import { request } from '../define.ts';

const one = z.strictObject({ name: z.string().max(200), scope: ConfigScope });
const text = z.string().max(1_048_576);
export const profiles = {
  /** Profiles of the home and of the open, trusted project, then the built-in one, each with what is wrong with it. */
  'profiles.list': request<readonly ProfileReport[]>()(z.void()),
  /** `text` has a numbered mark (`•••1•••`) in place of each value that looks secret. `seen` is the mark of the file as it was read. */
  'profiles.read': request<{ readonly text: string; readonly seen: string; readonly report: ProfileReport }>()(one),
  /** What the profile would be with this text. Writes nothing; what is no profile is an issue, not an error. */
  'profiles.check': request<ProfileReport>()(one.extend({ text })),
  /**
   * Refuses text that is no profile (`config/invalid`, with the place); keeps it byte for byte otherwise, with the values that its marks stand for. With `seen`
   * (`absent` for a new one) a file that was changed since is `config/changed`.
   */
  'profiles.save': request<void>()(one.extend({ text, seen: z.string().max(100).optional() })),
  'profiles.remove': request<void>()(one),
};
