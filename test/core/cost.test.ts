import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { connected, defineShelves, objectTool } from '../support/own-tool.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';
import { offeredTo, runToRest, scriptedModel, useModel } from '../support/tool-model.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts({ tokens: true });
});
afterAll(() => parts[Symbol.asyncDispose]());

const shelf = (name: string, tools: number) => ({ name, tools: Array.from({ length: tools }, (_, at) => objectTool(`${name}_${at}`, `Does ${name} number ${at}, and <|endoftext|> is only text`, { text: { type: 'string' } })) });

describe('what definitions cost', () => {
  it('is counted after each request, beside what a host that sends every tool would have sent, over the run and the chat', async () => {
    await using model = await scriptedModel([{ name: 'mcp_search', args: { query: 'one', limit: 2 } }]);
    await using test = await TestApp.open(parts);
    await defineShelves(test, [shelf('one', 20), shelf('two', 20), { ...shelf('off', 20), options: { disabled: true } }]);
    await connected(test, 'one');
    const two = await connected(test, 'two');
    // Remembered tools count as well as those of now.
    await test.ask('servers.stop', { serverId: two });
    await useModel(test, model);
    const chatId = await test.newChat();
    await runToRest(test, 'hello', chatId);
    const { cost, runCost } = await test.untilChat(chatId, (chat) => chat.cost.requests === 2);
    expect(runCost).toEqual(cost);
    const asSent = [0, 1].map((at) => [...offeredTo(model, at).values()].reduce((sum, one) => sum + countTokens(JSON.stringify(one), { disallowedSpecial: new Set() }), 0));
    expect(Math.abs(cost.sent - ((asSent[0] ?? 0) + (asSent[1] ?? 0)))).toBeLessThan(cost.sent * 0.05);
    // Two requests, forty tools of about thirty tokens each.
    expect(cost.plainHost / 2).toBeGreaterThan(40 * 25);
    expect(cost.plainHost / 2).toBeLessThan(40 * 80);
    await runToRest(test, 'again', chatId);
    const after = await test.untilChat(chatId, (chat) => chat.cost.requests >= 3);
    expect(after.runCost.requests).toBe(after.cost.requests - 2);
  });

  it('is told server by server', async () => {
    await using test = await TestApp.open(parts);
    await defineShelves(test, [shelf('one', 20), shelf('two', 5)]);
    await connected(test, 'one');
    await connected(test, 'two');
    const costs = await test.ask('catalog.costs', { kind: 'anthropic' });
    const of = (name: string) => costs.find(({ serverId }) => serverId === test.server(name));
    expect(of('one')?.tools).toBe(20);
    expect((of('one')?.tokens ?? 0) / (of('two')?.tokens ?? 1)).toBeCloseTo(4, 0);
    expect(await test.ask('catalog.costs', { kind: 'anthropic' })).toEqual(costs);
  });

  it('says what of results stayed out of the model’s context', async () => {
    await using model = await scriptedModel([{ name: 'mcp', args: { action: 'call', tool: 'big', args: { bytes: 400_000 } } }]);
    await using test = await TestApp.open(parts);
    await test.addServer('large', join(import.meta.dirname, '../servers/stdio/versatile.mjs'));
    await test.ask('settings.update', { approvals: 'unrestricted' });
    await useModel(test, model);
    const chat = await runToRest(test, 'go');
    // 400,000 bytes came, some 50,000 were sent on: the rest is about 87,000 tokens.
    expect(chat.cost.keptOut).toBeGreaterThan(80_000);
    expect(chat.cost.keptOut).toBeLessThan(100_000);
  });

  it('keeps no run waiting and fails none where it cannot be counted', async () => {
    await using model = await scriptedModel();
    const { tokenWorker: _none, ...without } = parts;
    await using test = await TestApp.open(without);
    await useModel(test, model);
    const chat = await runToRest(test, 'hello');
    expect(chat.run).toEqual({ phase: 'idle' });
    expect(chat.cost).toEqual({ requests: 0, sent: 0, plainHost: 0, keptOut: 0 });
    expect(await test.ask('catalog.costs', { kind: 'openai' })).toEqual([]);
  });
});
