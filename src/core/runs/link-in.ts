import type { ServerId } from '../../shared/ids.ts';
import type { ResultPart } from '../../shared/model/content.ts';
import type { ChatState } from '../../shared/state/chat-state.ts';

/** What this server linked to in a chat: in the results of its tools, and in what was attached of it. */
export function linkIn({ calls, items }: Pick<ChatState, 'calls' | 'items'>, serverId: ServerId, uri: string): Extract<ResultPart, { readonly type: 'resource-link' }> | undefined {
  const isIt = (part: ResultPart): part is Extract<ResultPart, { readonly type: 'resource-link' }> => part.type === 'resource-link' && part.uri === uri;
  for (const view of Object.values(calls)) {
    if (view.call.ref.serverId !== serverId || view.phase !== 'settled' || !('result' in view.outcome)) continue;
    const link = view.outcome.result.parts.find(isIt);
    if (link) return link;
  }
  for (const item of items) {
    const attachments = item.kind === 'user' ? (item.attachments ?? []) : [];
    for (const attachment of attachments) {
      const link = attachment.serverId === serverId ? attachment.result.parts.find(isIt) : undefined;
      if (link) return link;
    }
  }
  return undefined;
}
