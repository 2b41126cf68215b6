import type { CatalogTool } from '../../shared/model/catalog.ts';
import type { ToolResult } from '../../shared/model/content.ts';
import type { ToolCall } from '../../shared/model/tool-call.ts';
import type { ConnectionPool } from '../connections/pool.ts';
import type { Skills } from '../skills/skills.ts';
import { readResource } from './read-resource.ts';
import { askingCall } from './asking-call.ts';
import { receiveResult, type ReceiveResultDeps } from './receive-result.ts';
import type { CallProgress } from './tool-calls.ts';

export interface InvokeToolDeps extends ReceiveResultDeps {
  readonly pool: ConnectionPool;
  readonly skills: Pick<Skills, 'verify'>;
}
type Invoke = (call: ToolCall, tool: CatalogTool, onProgress: (progress: CallProgress) => void, signal: AbortSignal) => Promise<{ readonly result: ToolResult; readonly isError: boolean }>;

/** Where a call leaves for its server and its answer comes back through the guard. Throws AppError. */
export function invokeTool(deps: InvokeToolDeps): Invoke {
  const { pool } = deps;
  return async (call, tool, onProgress, signal) => {
    const { resource } = call;
    if (resource !== undefined) return readResource({ ...call, resource }, tool, deps, signal);
    // Counted from when the call leaves: not while a person decides or the server starts (F-56).
    const { requestMs: idleMs, callTotalMs: totalMs } = pool.rules(call.ref.serverId);
    const options = { idleMs, totalMs, onProgress, from: askingCall(call) };
    const raw = await pool.use(call.ref.serverId, (session, using) => session.callTool(call.ref.tool, call.args, options, using), signal);
    return receiveResult(raw, call, tool, deps, signal);
  };
}
