import * as z from 'zod';
import { ContentId } from '../../ids.ts';
import { SettingsPatch } from '../../model/settings.ts';
import type { VaultStatus } from '../../model/settings.ts';
import { request } from '../define.ts';

export interface AppInfo {
  readonly version: string;
  readonly home: string;
  readonly platform: string;
  readonly electron: string;
  readonly chrome: string;
  readonly node: string;
}
export const settings = {
  'settings.update': request<void>()(SettingsPatch),
  'settings.open-project': request<void>()(z.strictObject({ folder: z.string().min(1).max(4096) })),
  'settings.close-project': request<void>()(z.void()),
  'vault.open': request<VaultStatus>()(z.void()),
  /** The person's choice when there is no keyring: values live until the app quits and are never written. */
  'vault.use-memory-only': request<VaultStatus>()(z.void()),
  /** Part of a content reference, as base64; at most 4 MiB at a time. */
  'contents.read': request<{ readonly base64: string; readonly bytes: number }>()(
    z.strictObject({ id: ContentId, offset: z.number().int().nonnegative().default(0), limit: z.number().int().min(1).max(4_194_304).default(1_048_576) }),
  ),
  'app.info': request<AppInfo>()(z.void()),
};
