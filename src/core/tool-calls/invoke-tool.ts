import type { ServerId } from '../../shared/ids.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import type { ToolResult } from '../../shared/model/content.ts';
import type { ServerLimits } from '../../shared/model/server-options.ts';
import type { ToolCall } from '../../shared/model/tool-call.ts';
import type { ConnectionPool } from '../connections/pool.ts';
import { defaultLimits } from '../connections/session.ts';
import { receiveResult, type ReceiveResultDeps } from './receive-result.ts';
import type { CallProgress } from './tool-calls.ts';

export interface InvokeToolDeps extends ReceiveResultDeps {
  readonly pool: ConnectionPool;
  readonly limits: (serverId: ServerId) => ServerLimits | undefined;
}
type Invoke = (call: ToolCall, tool: CatalogTool, onProgress: (progress: CallProgress) => void, signal: AbortSignal) => Promise<{ readonly result: ToolResult; readonly isError: boolean }>;

/** Where a call leaves for its server and its answer comes back through the guard. Throws AppError. */
export function invokeTool({ pool, limits, ...receiving }: InvokeToolDeps): Invoke {
  return async (call, tool, onProgress, signal) => {
    const own = limits(call.ref.serverId);
    const options = { idleMs: own?.callIdleMs ?? defaultLimits.callIdleMs, totalMs: own?.callTotalMs ?? defaultLimits.callTotalMs, onProgress };
    const raw = await pool.use(call.ref.serverId, (session, using) => session.callTool(call.ref.tool, call.args, options, using), signal);
    return receiveResult(raw, call, tool, receiving, signal);
  };
}
