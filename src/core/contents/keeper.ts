import { ChatId } from '../../shared/ids.ts';
import type { Caller } from '../../shared/model/tool-call.ts';

type DoorKind = Exclude<Caller['kind'], 'chat' | 'direct'>;
const doors: { readonly [K in DoorKind]: ChatId } = { person: ChatId.parse('person'), cli: ChatId.parse('cli'), 'http-api': ChatId.parse('http-api'), 'app-window': ChatId.parse('app-window') };

/** Under whose name content is kept: it lives as long as its chat; a call without one keeps its content under the door's name, for a day. */
export const keeperOf = (caller: Caller): ChatId => (caller.kind === 'chat' || caller.kind === 'direct' ? caller.chatId : doors[caller.kind]);

export const isDoor = (keeper: ChatId): boolean => Object.values(doors).includes(keeper);
