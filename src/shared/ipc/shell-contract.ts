import * as z from 'zod';
import { ContentId } from '../ids.ts';
import { request } from './define.ts';

/** What only the desktop shell can do, for its own windows. */
export const shellContract = {
  /** Gives the snapshot of a topic and sends its actions from then on; `state` is the topic's state. A page's follows end with the page. */
  'shell.follow': request<{ readonly seq: number; readonly state: unknown }>()(z.strictObject({ topic: z.string().max(9_000) })),
  'shell.unfollow': request<void>()(z.strictObject({ topic: z.string().max(9_000) })),
  /** https only, or http on loopback; opened by the system browser after the person sees where it goes. */
  'shell.open-external': request<void>()(z.strictObject({ url: z.string().max(8192) })),
  'shell.choose-folder': request<string | undefined>()(z.void()),
  'shell.choose-file': request<string | undefined>()(z.void()),
  /** Where to put a new file, `name` proposed; nothing is written. */
  'shell.choose-save': request<string | undefined>()(z.strictObject({ name: z.string().regex(/^[^/\\\0]{1,200}$/) })),
  /** Writes text to a new place that the person chooses, mode 0600; answers the path, or nothing when they chose none. */
  'shell.save-text': request<string | undefined>()(z.strictObject({ name: z.string().regex(/^[^/\\\0]{1,200}$/), text: z.string().max(4_194_304) })),
  /** Writes kept content to a new place that the person chooses, mode 0600; answers the path, or nothing when they chose none. */
  'shell.save-content': request<string | undefined>()(z.strictObject({ id: ContentId, name: z.string().regex(/^[^/\\\0]{1,200}$/) })),
  'shell.copy': request<void>()(z.strictObject({ text: z.string().max(4_194_304) })),
  /** The page answers to the person: what was kept back for its sake may begin. */
  'shell.interactive': request<void>()(z.void()),
  'shell.quit': request<void>()(z.void()),
  /** Quits, with the same question, and starts again. */
  'shell.restart': request<void>()(z.void()),
  'shell.theme': request<void>()(z.strictObject({ theme: z.enum(['system', 'light', 'dark']) })),
};
export type ShellContract = typeof shellContract;
