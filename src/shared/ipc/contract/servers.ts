import * as z from 'zod';
import { ServerId } from '../../ids.ts';
import type { ServerCatalog } from '../../model/catalog.ts';
import { ConfigScope } from '../../model/config-value.ts';
import { ServerDraft } from '../../model/server-definition.ts';
import { request } from '../define.ts';

const one = z.strictObject({ serverId: ServerId });
export const servers = {
  /** Saves the definition, secrets into the vault first, and starts it. A taken name is `server/exists`. */
  'servers.add': request<{ readonly serverId: ServerId }>()(ServerDraft.extend({ scope: ConfigScope.optional() })),
  /** Answers the id, which is another one when the name changed. */
  'servers.update': request<{ readonly serverId: ServerId }>()(one.extend({ draft: ServerDraft })),
  'servers.remove': request<void>()(one),
  'servers.set-enabled': request<void>()(one.extend({ enabled: z.boolean() })),
  /** Settles when the start has ended, well or not: the state says how. */
  'servers.start': request<void>()(one),
  'servers.stop': request<void>()(one),
  'servers.restart': request<void>()(one),
  /** What it offers now or offered when last seen; `undefined` before that. */
  'servers.catalog': request<ServerCatalog | undefined>()(one),
  /** The tray's and the palette's "pause all". */
  'servers.pause-all': request<void>()(z.strictObject({ paused: z.boolean() })),
};
