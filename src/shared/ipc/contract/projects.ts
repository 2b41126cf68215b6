import * as z from 'zod';
import { request } from '../define.ts';
import type { SavePreview } from './config.ts';

const answer = z.strictObject({ project: z.string().max(4096), digest: z.string().max(100) });
export const projects = {
  /** Bound to the content that was shown: `trust/changed` when the files are others by now. In the window or at a terminal only. */
  'projects.trust': request<void>()(answer),
  'projects.refuse': request<void>()(answer),
  'projects.distrust': request<void>()(z.strictObject({ project: z.string().max(4096) })),
  /** A minimal `.mcp.json` for the open project, to be shared by those who work on it; written nowhere yet. */
  'projects.preview-file': request<SavePreview>()(z.void()),
  /** Writes it; `storage/failed` with `reason: 'exists'` for a project that has one, `trust/needed` for one that is not trusted. */
  'projects.make-file': request<void>()(z.void()),
};
