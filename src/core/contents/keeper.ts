import { ChatId } from '../../shared/ids.ts';
import type { Caller } from '../../shared/model/tool-call.ts';

/** Under whose name content is kept: it lives as long as its chat; a call without one keeps its content under the door's name, for a day. */
export const keeperOf = (caller: Caller): ChatId => (caller.kind === 'chat' || caller.kind === 'direct' ? caller.chatId : ChatId.parse(caller.kind));
