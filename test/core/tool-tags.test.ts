import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RawServer } from '../servers/http/raw-server.ts';
import { connected, defineShelves, objectTool, ownAnswer, useOwnTool } from '../support/own-tool.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';
import { runToRest, scriptedModel, useModel } from '../support/tool-model.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

const gateway = (action: string, more: object) => ({ name: 'mcp', args: { action, ...more } });
const find = (query: string) => gateway('call', { tool: 'find_tool', args: { query } });
interface Said {
  readonly tags?: readonly string[];
  readonly items: readonly { readonly name: string; readonly tags: readonly string[]; readonly score?: number }[];
}
const usual = ['mcp', 'integration', 'external'];

describe('tags', () => {
  it('[H-49] every server’s tools are integrations from outside; those of a run’s own server say so and name it', { timeout: 60_000 }, async () => {
    await using server = await RawServer.start();
    await using model = await scriptedModel(
      [gateway('call', { tool: 'connect_mcp', args: { url: server.url, server_name: 'guest' } })],
      [gateway('describe', { tool: 'mcp_guest_echo' }), gateway('describe', { tool: 'find_book' }), find('dynamic'), find('mcp_server:guest'), gateway('search', { query: 'external' })],
    );
    await using test = await TestApp.open(parts);
    await useModel(test, model);
    await defineShelves(test, [{ name: 'books', tools: [objectTool('find_book', 'Finds a book by its title'), objectTool('lend_book', 'Lends a book')] }]);
    await connected(test, 'books');
    const resting = runToRest(test, 'go');
    await test.until(({ approvals }) => approvals.length > 0);
    for (const { id } of test.state.approvals) await test.ask('approvals.answer', { approvalId: id, answer: { decision: 'allow', scope: 'once' } });
    const made = Object.values((await resting).calls).filter(({ call }) => call.ref.tool === 'mcp');
    const [, guest, book, dynamic, ofGuest, external] = made.map((view) => ownAnswer(view.phase === 'settled' ? view.outcome : { kind: 'cancelled' }).data as Said); // what lists and descriptions hold
    expect(guest?.tags).toEqual([...usual, 'dynamic', 'mcp_server:guest']);
    expect(book?.tags).toEqual(usual);
    for (const found of [dynamic, ofGuest]) expect(found?.items).toMatchObject([{ name: 'echo', tags: [...usual, 'dynamic', 'mcp_server:guest'] }]);
    expect(external?.items.map(({ name }) => name)).toEqual(['echo', 'find_book', 'lend_book']);
  });

  it('as a query they give all that have them, page by page: those that are called so, those with the word in their name, then the others by name', async () => {
    await using test = await TestApp.open(parts);
    await defineShelves(test, [{ name: 'shop', tools: [objectTool('weigh', 'Weighs plums'), objectTool('external', 'The outside'), objectTool('count', 'Counts pears'), objectTool('list_external', 'Lists what is outside'), objectTool('add', 'Adds')] }]);
    await connected(test, 'shop');
    const page = async (name: string, args: Record<string, unknown>) => (await useOwnTool(test, name, args)).data as Said & { readonly total: number; readonly nextOffset: number | null };
    const first = await page('mcp_search', { query: ' External ', limit: 3 });
    expect([first.items.map(({ name }) => name), first.total, first.nextOffset]).toEqual([['external', 'list_external', 'add'], 5, 3]);
    expect(first.items.every(({ score = 0 }, at, all) => score > 0 && score <= (all[at - 1]?.score ?? score))).toBe(true);
    expect((await page('mcp_search', { query: 'external', offset: 3 })).items.map(({ name }) => name)).toEqual(['count', 'weigh']);
    expect((await page('mcp', { action: 'search', query: 'integration', server: 'shop', includeSchemas: false })).items.map(({ name }) => name)).toEqual(['add', 'count', 'external', 'list_external', 'weigh']);
    // Nothing has this one here, and with other words beside it a tag is a word like any other.
    expect((await page('mcp_search', { query: 'dynamic' })).total).toBe(0);
    expect((await page('mcp_search', { query: 'external plums' })).items[0]?.name).toBe('weigh');
  });
});
