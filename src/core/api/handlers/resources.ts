import { AppError } from '../../../shared/errors.ts';
import { ToolCallId, type ChatId, type ServerId } from '../../../shared/ids.ts';
import type { resources } from '../../../shared/ipc/contract/resources.ts';
import type { Handlers, RequestContext } from '../../../shared/ipc/define.ts';
import type { CatalogTool } from '../../../shared/model/catalog.ts';
import type { ContentRef, ResultPart } from '../../../shared/model/content.ts';
import type { Caller, ToolCall, ToolOutcome } from '../../../shared/model/tool-call.ts';
import { findResources } from '../../catalog/find-resources.ts';
import { keeperOf } from '../../contents/keeper.ts';
import { logRecorder } from '../../runs/own-calls.ts';
import { attachmentOf } from '../../tool-calls/attachment-of.ts';
import type { Parts } from '../parts.ts';

interface Wanted {
  readonly serverId: ServerId;
  readonly uri: string;
  readonly chatId?: ChatId | undefined;
}

export const resourceHandlers = (parts: Parts): Handlers<typeof resources> => ({
  'resources.find': async ({ text, limit }) => {
    await parts.remembered();
    const found = findResources(parts.catalog.servers().filter(({ serverId }) => parts.servers.get(serverId)?.enabled === true), text);
    return { lines: found.slice(0, limit), total: found.length };
  },
  'resources.read': (wanted, context) => readWhole(parts, wanted, context),
  'resources.attach': async (wanted, { caller, signal }) => {
    const { tool, outcome } = await read(parts, wanted, askedBy(caller, wanted.chatId), signal);
    if (outcome.kind !== 'succeeded') return { kind: 'failed', outcome };
    return { kind: 'attached', attachment: attachmentOf(tool, wanted.uri, outcome.result) };
  },
});

/** Its contents, and as files each. */
export async function readWhole(parts: Parts, wanted: Wanted, { caller, signal }: RequestContext): Promise<{ readonly outcome: ToolOutcome; readonly files: readonly (ContentRef | null)[] }> {
  const asking = askedBy(caller, wanted.chatId);
  const { outcome } = await read(parts, wanted, asking, signal);
  const keep = (text: string, mimeType: string) => parts.contents.put(keeperOf(asking), { text: [text] }, mimeType, signal);
  return { outcome, files: outcome.kind === 'succeeded' ? await Promise.all(outcome.result.parts.map((part) => fileOf(part, keep))) : [] };
}

/** By the same door as every call: what differs is who asks. */
async function read(parts: Parts, { serverId, uri, chatId }: Wanted, caller: Caller, signal: AbortSignal): Promise<{ readonly tool: CatalogTool; readonly outcome: ToolOutcome }> {
  const { catalog, chats, log, newId, pool, readable, remembered, skills, toolCalls } = parts;
  await remembered();
  if (chatId !== undefined) await chats.get(chatId, signal);
  if (!catalog.knows(serverId)) await pool.look(serverId, { anew: false }, signal);
  await skills.prepare(serverId, uri, signal);
  const tool = readable(serverId, uri, caller);
  if (!tool) throw new AppError('tool/not-found', `The server offers no resource ${uri.slice(0, 500)}`);
  const call: ToolCall = { id: ToolCallId.parse(newId()), ref: tool.ref, serverName: tool.serverName, args: {}, caller, resource: uri };
  return { tool, outcome: await toolCalls.execute(call, logRecorder(call, log), signal) };
}

function askedBy(caller: RequestContext['caller'], chatId: ChatId | undefined): Caller {
  if (!('door' in caller)) return caller;
  return chatId === undefined ? { kind: 'person' } : { kind: 'direct', chatId };
}

/** What a part can be saved as. */
async function fileOf(part: ResultPart, keep: (text: string, mimeType: string) => Promise<ContentRef>): Promise<ContentRef | null> {
  if ('ref' in part) return part.ref;
  if (part.type !== 'resource-text') return null;
  return part.truncated?.ref ?? (part.text === '' ? null : keep(part.text, part.mimeType ?? 'text/plain'));
}
