import * as z from 'zod';
import { ConfigScope } from '../../model/config-value.ts';
import type { ProfileReport } from '../../model/profile.ts';
import { request } from '../define.ts';

const one = z.strictObject({ name: z.string().max(200), scope: ConfigScope });
export const profiles = {
  /** Profiles of the home and of the open, trusted project, each with what is wrong with it. */
  'profiles.list': request<readonly ProfileReport[]>()(z.void()),
  'profiles.read': request<{ readonly text: string; readonly report: ProfileReport }>()(one),
  /** Refuses text that is no profile (`config/invalid`, with the place); keeps it byte for byte otherwise. */
  'profiles.save': request<void>()(one.extend({ text: z.string().max(1_048_576) })),
  'profiles.remove': request<void>()(one),
};
