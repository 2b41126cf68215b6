import { describe, expect, it } from 'vitest';
import type { ApprovalId, ChatId, ServerId } from '../../shared/ids.ts';
import { hrefOf, placeOf, type Place } from './place.ts';

const server = 'global:my server/ü&?#' as ServerId; // any id that a definition may have
const places: readonly Place[] = [
  { page: 'chat' },
  { page: 'chat', chatId: 'abc-1' as ChatId }, // the form of a chat's id
  { page: 'chat', tool: { serverId: server, name: 'read file?&#' } },
  { page: 'servers' },
  { page: 'servers', serverId: server },
  { page: 'servers', serverId: server, edit: true },
  { page: 'servers', serverId: server, edit: 'sign-in' },
  { page: 'tools', serverId: server, tool: 'a/b' },
  { page: 'approvals', approvalId: 'a 1' as ApprovalId }, // any text
  { page: 'settings', section: 'vault' },
  { page: 'settings', section: 'secrets' },
  { page: 'set-up' },
];

describe('places', () => {
  it.each(places)('finds its way back to %o', (place) => {
    expect(placeOf(hrefOf(place))).toEqual(place);
  });

  it.each(['', '#', '#/', '#/nowhere', '#/constructor'])('takes %o for a new chat', (hash) => {
    expect(placeOf(hash)).toEqual({ page: 'chat' });
  });
});
