import { describe, expect, it } from 'vitest';
import { hostileSchemas } from '../../../test/support/hostile-schemas.ts';
import { refusals } from '../../../test/support/provider-judge.ts';
import { ProviderKind } from '../../shared/model/settings.ts';
import { fitTool, fitTools, type ToolToFit } from './provider-fit.ts';

const kinds = ProviderKind.options;
const toolWith = (inputSchema: unknown, description = 'Does something'): ToolToFit => ({
  name: 'mcp_server_tool',
  description,
  inputSchema,
});
const fitted = (kind: ProviderKind, inputSchema: unknown, description?: string) => {
  const fit = fitTool(kind, toolWith(inputSchema, description));
  if (fit.kind !== 'fits') throw new Error(fit.reason);
  return fit;
};

describe.each(kinds)('a tool for %s', (kind) => {
  it.each(hostileSchemas)('is taken or set aside with a reason, whatever its schema: $name', ({ json, verdict }) => {
    const inputSchema: unknown = JSON.parse(json);
    const started = performance.now();
    const fit = fitTool(kind, toolWith(inputSchema));
    expect(performance.now() - started).toBeLessThan(5000);
    expect(fit.kind).toBe(verdict);
    if (fit.kind === 'fits') expect(refusals(kind, fit.tool)).toEqual([]);
    else expect(fit.reason).toMatch(/\w+ \w+/);
    if (json.length < 20_000) expect(JSON.stringify(inputSchema)).toBe(JSON.stringify(JSON.parse(json)));
  });

  it('keeps what a model needs to know of a reference, and never makes a circle of objects', () => {
    const { tool } = fitted(
      kind,
      JSON.parse(
        '{"type":"object","properties":{"k":{"$ref":"#/$defs/K","description":"which"},"root":{"$ref":"#/$defs/N"}},"$defs":{"K":{"enum":["x","y"]},"N":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/N"}}}}}}',
      ),
    );
    expect(tool.inputSchema).toMatchObject({
      properties: {
        k: { enum: ['x', 'y'], description: 'which' },
        root: { properties: { kids: { items: { properties: { kids: { type: 'array' } } } } } },
      },
    });
    expect(JSON.stringify(tool.inputSchema).match(/kids/g)?.length).toBeLessThan(6);
    expect(tool.description).toContain('deeper than shown');
  });

  it('sends the values behind a reference, unrolls recursion to a depth, sets a pure circle aside, and fetches nothing', () => {
    const fetched: unknown[] = [];
    const original = globalThis.fetch;
    globalThis.fetch = (input) => {
      fetched.push(input);
      return Promise.reject(new Error('no'));
    };
    try {
      const byName = (name: string) => fitTool(kind, toolWith(JSON.parse(hostileSchemas.find((one) => one.name === name)?.json ?? 'null')));
      const local = byName('a local reference');
      expect(local.kind === 'fits' && local.tool.inputSchema).toMatchObject({ properties: { k: { enum: ['x', 'y'] } } });
      const tree = byName('a recursive tree');
      expect(tree.kind === 'fits' && JSON.stringify(tree.tool.inputSchema).length).toBeLessThan(2000);
      expect(byName('a circle of allOf')).toEqual({ kind: 'set-aside', reason: 'Its input schema refers to itself in a circle' });
      const web = byName('a reference to the web');
      expect(web.kind === 'fits' && web.tool.description).toContain('described elsewhere');
      // The original is what arguments are judged by: it comes out of this as it went in.
      const args = { k: 'x' };
      expect(local.kind === 'fits' && local.mapArguments(args)).toBe(args);
      expect(fetched).toEqual([]);
    } finally {
      globalThis.fetch = original;
    }
  });

  it('has the branches of a root combinator as properties, and the rule in words', () => {
    const either = fitted(kind, JSON.parse(hostileSchemas.find(({ name }) => name === 'anyOf of required at the root')?.json ?? ''));
    expect(either.tool.inputSchema).toMatchObject({ type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } });
    expect(either.tool.inputSchema['required']).toBeUndefined();
    expect(either.tool.description).toBe('Does something\nAt least one of these must hold: (1) with id; (2) with name.');
    const shapes = fitted(kind, JSON.parse(hostileSchemas.find(({ name }) => name === 'forms told apart at the root')?.json ?? ''));
    expect(shapes.tool.inputSchema).toMatchObject({
      properties: { kind: { enum: ['circle', 'square'] }, radius: { type: 'number' }, side: { type: 'number' } },
      required: ['kind'],
    });
    expect(shapes.tool.description).toMatch(
      /one of these must hold: \(1\) kind = "circle", with radius; \(2\) kind = "square", with side\.$/,
    );
  });

  it('keeps combinators within properties', () => {
    const { tool } = fitted(kind, { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'number' }] } } });
    expect(tool.inputSchema).toMatchObject({ properties: { a: { anyOf: [{ type: 'string' }, { type: 'number' }] } } });
  });

  it('brings arguments back to the names that the server knows, at any depth', () => {
    const fit = fitted(
      kind,
      JSON.parse(
        '{"type":"object","properties":{"@type":{"type":"string"},"plain":{"type":"string"},"a/b":{"type":"array","items":{"type":"object","properties":{"x[0]":{},"__proto__":{}},"required":["x[0]"]}}},"anyOf":[{"properties":{"日 本":{"type":"string"}},"required":["日 本"]}]}',
      ),
    );
    const properties = Object.keys(fit.tool.inputSchema['properties'] as object); // the judge proves it an object
    const [type, plain, list, land] = properties;
    expect(plain).toBe('plain');
    const inner = Object.keys(
      (fit.tool.inputSchema as { properties: Record<string, { items: { properties: object } }> }).properties[list ?? '']?.items
        .properties ?? {},
    );
    const args = {
      [type ?? '']: 'T',
      plain: 'p',
      [list ?? '']: [{ [inner[0] ?? '']: 1, [inner[1] ?? '']: 2 }],
      [land ?? '']: 'l',
      free: { '@id': 3 },
    };
    const before = structuredClone(args);
    const mapped = fit.mapArguments(args);
    expect(JSON.stringify(mapped)).toBe('{"@type":"T","plain":"p","a/b":[{"x[0]":1,"__proto__":2}],"日 本":"l","free":{"@id":3}}');
    expect(Object.getPrototypeOf((mapped['a/b'] as object[])[0])).toBe(Object.prototype);
    expect(args).toEqual(before);
  });

  it('does not confuse a property with the fitted name of another', () => {
    const odd = '\u0000odd';
    const fitOfOdd =
      Object.keys(fitted(kind, { type: 'object', properties: { [odd]: {} } }).tool.inputSchema['properties'] as object)[0] ?? '';
    const fit = fitted(kind, { type: 'object', properties: { [odd]: {}, [fitOfOdd]: {} } });
    const names = Object.keys(fit.tool.inputSchema['properties'] as object);
    expect(new Set(names).size).toBe(2);
    expect(fit.mapArguments(Object.fromEntries(names.map((name, index) => [name, index])))).toEqual({ [odd]: 0, [fitOfOdd]: 1 });
  });

  it('has a description that is cut with a mark, its notes kept', () => {
    const { tool } = fitted(kind, { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] }, 'd'.repeat(2_000_000));
    expect(tool.description.length).toBeLessThanOrEqual(4096);
    expect(tool.description).toContain('… [cut]');
    expect(tool.description).toMatch(/\(1\) with a; \(2\) with b\.$/);
  });

  it('is set aside alone, with its reason, when it cannot be used: the rest of a large catalog is offered', () => {
    const good = Array.from({ length: 10 }, (_, index) => ({ name: `good_${index}`, description: 'ok', inputSchema: { type: 'object' } }));
    const { offered, setAside } = fitTools(kind, [
      ...good,
      { name: 'nothing', description: 'x', inputSchema: null },
      { name: 'long', description: 'x'.repeat(2_000_000), inputSchema: {} },
    ]);
    expect(offered.map(({ tool }) => tool.name)).toEqual([...good.map(({ name }) => name), 'long']);
    expect(setAside).toEqual([{ name: 'nothing', reason: 'Its input schema is not a schema' }]);
  });
});

describe('tools for a provider', () => {
  it('are never more than the provider or the caller allows, built-in ones counted', () => {
    const tools = Array.from({ length: 185 }, (_, index) => ({ name: `tool_${index}`, description: 'x', inputSchema: {} }));
    const counts = kinds.map((kind) => [kind, fitTools(kind, tools).offered.length]);
    expect(Object.fromEntries(counts)).toEqual({ anthropic: 185, openai: 128, google: 128, 'openai-compatible': 128 });
    const { offered, setAside } = fitTools('openai', tools, { limit: 3 });
    expect(offered).toHaveLength(3);
    expect(setAside).toHaveLength(182);
    expect(setAside[0]).toEqual({ name: 'tool_3', reason: 'The model takes no more than 3 tools at once' });
  });

  it('have one name each: a second tool of that name is set aside', () => {
    const { offered, setAside } = fitTools('anthropic', [toolWith({}), toolWith({}), { ...toolWith({}), name: 'a.b' }]);
    expect(offered).toHaveLength(1);
    expect(setAside.map(({ reason }) => reason)).toEqual(['Another tool has the same name', 'Its name cannot be used with a model']);
  });

  it('tell Gemini in words what it has no keyword for', () => {
    const { tool } = fitted('google', {
      type: 'object',
      properties: { a: { type: 'string', description: 'Address', pattern: '^x', minLength: 3, format: 'uri' } },
    });
    expect(tool.inputSchema).toMatchObject({
      properties: { a: { type: 'string', description: 'Address (minLength: 3; pattern: ^x; format: uri)' } },
    });
  });
});
