import * as z from 'zod';
import { request } from '../define.ts';

const answer = z.strictObject({ project: z.string().max(4096), digest: z.string().max(100) });
export const projects = {
  /** Bound to the content that was shown: `trust/changed` when the files are others by now. In the window or at a terminal only. */
  'projects.trust': request<void>()(answer),
  'projects.refuse': request<void>()(answer),
  'projects.distrust': request<void>()(z.strictObject({ project: z.string().max(4096) })),
};
