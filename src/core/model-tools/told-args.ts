import type { JsonObject } from '../../shared/model/catalog.ts';
import { ownToolsId } from '../../shared/model/own-tools.ts';
import type { ToolCall } from '../../shared/model/tool-call.ts';

const hidden = '•••';

/** A call that hands over what the browser brought at the end of a sign-in: a code that may still be good. */
export const handsOverCode = ({ ref, args }: ToolCall): boolean => ref.serverId === ownToolsId && ref.tool === 'mcp' && args['action'] === 'auth-complete' && args['args'] !== undefined;

/** What may be kept of such a call's arguments: which there were. */
export function withoutCode(args: JsonObject): JsonObject {
  const { args: given } = args;
  const names = typeof given === 'object' && given !== null && !Array.isArray(given) ? Object.keys(given) : undefined;
  return { ...args, args: names ? Object.fromEntries(names.map((name) => [name, hidden])) : hidden };
}

/** A call as it may be written down: a code is used once, and kept nowhere. */
export const toldCall = (call: ToolCall): ToolCall => (handsOverCode(call) ? { ...call, args: { ...withoutCode(call.args) } } : call);
