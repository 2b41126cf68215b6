import { describe, expect, it } from 'vitest';
import { ServerId } from '../../shared/ids.ts';
import { Catalog, type RawListing } from './catalog.ts';
import { parsePrompts, parseResources, parseTools } from './parse-listing.ts';

const schema = { type: 'object', properties: {} };
const listing = (over: Partial<RawListing>): RawListing => ({ tools: [], resources: [], resourceTemplates: [], prompts: [], warnings: [], ...over });
const [a, b] = [ServerId.parse('global:a'), ServerId.parse('global:b')];

describe('a server’s listing', () => {
  it('keeps the good tools when others cannot be read, and says what is wrong beside each', () => {
    const good = Array.from({ length: 10 }, (_, index) => ({ name: `good_${index}`, inputSchema: schema }));
    const { tools, warnings } = parseTools([...good, { name: 'no_schema' }, { name: 'null_schema', inputSchema: null }, { name: 'text_schema', inputSchema: 'x' }, { name: 'list_schema', inputSchema: [] }, { inputSchema: schema }, 7, { name: 'good_0', inputSchema: schema }]);
    expect(tools.filter((tool) => tool.problem === undefined).map((tool) => tool.name)).toEqual(good.map((tool) => tool.name));
    expect(tools.filter((tool) => tool.problem !== undefined).map((tool) => tool.name)).toEqual(['no_schema', 'null_schema', 'text_schema', 'list_schema']);
    expect(warnings).toEqual(['2 tools have no name and cannot be used', '1 tool repeats an earlier name; the first counts']);
  });

  it.each([
    ['a list', { type: 'array', items: { type: 'string' } }],
    ['text or nothing', { type: ['string', 'null'] }],
    ['text or a number', { anyOf: [{ type: 'string' }, { oneOf: [{ type: 'number' }, { type: 'integer' }] }] }],
  ])('[F-106] [U-71] takes any arguments for a tool whose schema describes %s, which arguments never are', (_what, inputSchema) => {
    expect(parseTools([{ name: 't', inputSchema }]).tools[0]).toMatchObject({ inputSchema: { type: 'object', properties: {} } });
    expect(parseTools([{ name: 't', inputSchema }]).tools[0]?.problem).toBeUndefined();
    const given = { type: ['object', 'null'], properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false, description: 'as it was sent', anyOf: [{ type: 'string' }, {}] };
    expect(parseTools([{ name: 't', inputSchema: given }]).tools[0]?.inputSchema).toEqual(given);
  });

  it('cuts a description of 2 MB and notices when its end changes', () => {
    const [one] = parseTools([{ name: 't', description: `${'d'.repeat(2_000_000)}1`, inputSchema: schema }]).tools;
    const [two] = parseTools([{ name: 't', description: `${'d'.repeat(2_000_000)}2`, inputSchema: schema }]).tools;
    expect(one?.description.length).toBeLessThan(21_000);
    expect(one?.revision).not.toBe(two?.revision);
  });

  it.each([
    ['title', { title: 'T' }], ['description', { description: 'D' }], ['input schema', { inputSchema: { type: 'object' } }], ['output schema', { outputSchema: schema }],
    ['annotations', { annotations: { readOnlyHint: true } }], ['app', { _meta: { ui: { resourceUri: 'ui://x' } } }],
  ])('has another revision when its %s changes', (_what, change) => {
    const base = { name: 't', inputSchema: schema };
    expect(parseTools([{ ...base, ...change }]).tools[0]?.revision).not.toBe(parseTools([base]).tools[0]?.revision);
  });

  it('has the same revision whatever the order of keys', () => {
    const [one] = parseTools([{ name: 't', inputSchema: { type: 'object', properties: { a: {}, b: {} } } }]).tools;
    const [two] = parseTools([{ inputSchema: { properties: { b: {}, a: {} }, type: 'object' }, name: 't' }]).tools;
    expect(one?.revision).toBe(two?.revision);
  });

  it('leaves out resources and prompts that cannot be understood, and counts them', () => {
    expect(parseResources([{ uri: 'a:1', name: 'one' }, { name: 'none' }, null])).toMatchObject({ items: [{ uri: 'a:1' }], warnings: ['2 of 3 resources could not be understood and are left out'] });
    expect(parsePrompts([{ name: 'p', arguments: [{ name: 'x', required: true }] }, {}]).items).toEqual([{ name: 'p', arguments: [{ name: 'x', required: true }] }]);
  });
});

describe('the catalog', () => {
  it('finds a tool by server and name, and as it was only while it is the same', () => {
    const catalog = new Catalog({ now: () => 0, mask: (text) => text, pinsFrozen: () => false, onChange: () => undefined });
    catalog.define(a, 'a');
    catalog.set(a, listing({ tools: [{ name: 'x', inputSchema: schema }] }));
    catalog.define(b, 'b');
    catalog.set(b, listing({ tools: [{ name: 'x', inputSchema: schema }] }));
    const ref = catalog.tool(a, 'x')?.ref;
    if (!ref) throw new Error('no tool');
    expect(catalog.current(ref)?.serverName).toBe('a');
    catalog.set(a, listing({ tools: [{ name: 'x', description: 'now with words', inputSchema: schema }] }));
    expect(catalog.current(ref)).toBeUndefined();
    catalog.forget(a);
    expect(catalog.tool(a, 'x')).toBeUndefined();
    expect(catalog.all()).toHaveLength(1);
  });

  it('gives two servers whose names run together different model names', () => {
    const catalog = new Catalog({ now: () => 0, mask: (text) => text, pinsFrozen: () => false, onChange: () => undefined });
    catalog.define(a, 'a_b');
    catalog.set(a, listing({ tools: [{ name: 'c', inputSchema: schema }] }));
    catalog.define(b, 'a');
    catalog.set(b, listing({ tools: [{ name: 'b_c', inputSchema: schema }] }));
    const names = catalog.all().map((tool) => tool.modelName);
    expect(new Set(names).size).toBe(2);
  });

  it('takes 5,000 tools', () => {
    const catalog = new Catalog({ now: () => 0, mask: (text) => text, pinsFrozen: () => false, onChange: () => undefined });
    catalog.define(a, 'a');
    catalog.set(a, listing({ tools: Array.from({ length: 5_000 }, (_, index) => ({ name: `tool_${index}`, inputSchema: schema })) }));
    expect(new Set(catalog.all().map((tool) => tool.modelName)).size).toBe(5_000);
  });
});
