import * as z from 'zod';
import { ServerId } from '../../ids.ts';
import { ConfigScope } from '../../model/config-value.ts';
import { ServerDraft, ServerName } from '../../model/server-definition.ts';
import { request } from '../define.ts';

/** `unreachable`: refused, or no answer in time. `error`: the definition, a secret, the start or the protocol failed. */
export type TestStatus = 'valid' | 'unreachable' | 'error';

export const probe = {
  /**
   * A real handshake and listing of tools, apart from the server's own connection; what it starts is gone when it answers. Bounded by `timeoutMs`
   * (at most 30,000). No environment, header or argument is in the answer.
   */
  'servers.test': request<{ readonly status: TestStatus; readonly message?: string; readonly tools?: number }>()(
    z.union([
      z.strictObject({ serverId: ServerId, timeoutMs: z.number().int().positive().max(30_000).default(20_000) }),
      /** As if it were saved; `previousName` is what `kept` values are kept of. Nothing is stored. */
      z.strictObject({ scope: ConfigScope, draft: ServerDraft, previousName: ServerName.optional(), timeoutMs: z.number().int().positive().max(30_000).default(20_000) }),
    ]),
  ),
};
