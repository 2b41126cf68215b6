import { ChatId, type ServerId } from '../../shared/ids.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import type { ToolResult } from '../../shared/model/content.ts';
import type { ServerLimits } from '../../shared/model/server-options.ts';
import type { ToolCall } from '../../shared/model/tool-call.ts';
import type { ConnectionPool } from '../connections/pool.ts';
import { defaultLimits } from '../connections/session.ts';
import { guardResult } from '../guard/results.ts';
import type { ContentStore, SchemaValidator } from '../ports.ts';
import type { CallProgress } from './tool-calls.ts';

export interface InvokeToolDeps {
  readonly pool: ConnectionPool;
  readonly contents: ContentStore;
  readonly schemas: SchemaValidator;
  readonly mask: (text: string) => string;
  readonly limits: (serverId: ServerId) => ServerLimits | undefined;
}
type Invoke = (call: ToolCall, tool: CatalogTool, onProgress: (progress: CallProgress) => void, signal: AbortSignal) => Promise<{ readonly result: ToolResult; readonly isError: boolean }>;

/** Where a call leaves for its server and its answer comes back through the guard. Throws AppError. */
export function invokeTool({ pool, contents, schemas, mask, limits }: InvokeToolDeps): Invoke {
  return async (call, tool, onProgress, signal) => {
    const own = limits(call.ref.serverId);
    const options = { idleMs: own?.callIdleMs ?? defaultLimits.callIdleMs, totalMs: own?.callTotalMs ?? defaultLimits.callTotalMs, onProgress };
    const raw = await pool.use(call.ref.serverId, (session, using) => session.callTool(call.ref.tool, call.args, options, using), signal);
    const result = await guardResult(raw, { mask, keep: (bytes, mimeType) => contents.put(keeper(call), bytes, mimeType, signal) });
    // A result that does not fit its own promise is kept all the same, and says so; an error promises nothing.
    const promised = raw.isError || raw.structuredContent === undefined ? undefined : tool.outputSchema;
    const verdict = promised ? await schemas.check(promised, raw.structuredContent, signal) : undefined;
    return { isError: raw.isError, result: verdict?.kind === 'misfits' ? { ...result, schemaMismatch: verdict.problems.slice(0, 3).join('; ') } : result };
  };
}

/** Content lives as long as its chat; a call without one keeps its content under the door's name. */
const keeper = ({ caller }: ToolCall): ChatId => (caller.kind === 'chat' || caller.kind === 'direct' ? caller.chatId : ChatId.parse(caller.kind));
