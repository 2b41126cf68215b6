import { pathToFileURL } from 'node:url';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram, type BuiltProgram } from '../../../test/support/build-worker.ts';
import { ChildProgram } from '../../../test/support/child-program.ts';
import { hostileSchemas } from '../../../test/support/hostile-schemas.ts';
import type { SchemaValidator, SchemaVerdict } from '../../core/ports.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import { createSchemaValidator } from './schema-validator.ts';

let worker: BuiltProgram;
let location: URL;
/** For what must be judged, however busy the machine is. */
let patient: SchemaValidator & AsyncDisposable;
beforeAll(async () => {
  worker = await buildProgram('src/node/schema/validator-worker.ts');
  location = pathToFileURL(worker.file);
  patient = createSchemaValidator({ worker: location, deadlineMs: 15_000 });
});
afterAll(async () => {
  await patient[Symbol.asyncDispose]();
  await worker[Symbol.asyncDispose]();
});

const signal = new AbortController().signal;
const judge = (schema: JsonObject, value: unknown): Promise<SchemaVerdict> => patient.check(schema, value, signal);
const fits = { kind: 'fits' };
const hostilePattern = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
const hostileValue = { a: `${'a'.repeat(40)}!` };

describe('judging', () => {
  const order = {
    type: 'object',
    properties: { id: { type: 'integer' }, size: { enum: ['S', 'M'] }, lines: { type: 'array', items: { type: 'object', properties: { 'a/b': { type: 'number', maximum: 9 } } } } },
    required: ['id'],
    additionalProperties: false,
  };

  it('lets through what fits', async () => {
    expect(await judge(order, { id: 1, size: 'S', lines: [{ 'a/b': 9 }], left: undefined })).toEqual(fits);
  });

  it('says all that is wrong in short sentences with their places', async () => {
    const verdict = await judge(order, { id: 'x', size: 'L', lines: [{ 'a/b': 1 }, { 'a/b': 10 }], more: 1 });
    if (verdict.kind !== 'misfits') expect.unreachable();
    expect(verdict.problems.toSorted()).toEqual([
      '/id must be integer, not string',
      '/lines/1/a~1b is wrong: 10 is greater than 9',
      '/more is not expected',
      '/size must be one of "S","M"',
    ]);
    expect(await judge(order, {})).toEqual({ kind: 'misfits', problems: ['The value lacks the required property "id"'] });
    expect(await judge(order, [])).toEqual({ kind: 'misfits', problems: ['The value must be object, not array'] });
  });

  it.each([
    ['https://json-schema.org/draft/2020-12/schema', { prefixItems: [{ type: 'string' }] }, [1]],
    [undefined, { prefixItems: [{ type: 'string' }] }, [1]],
    ['http://json-schema.org/draft-07/schema#', { items: [{ type: 'string' }], additionalItems: false }, ['a', 'b']],
    ['http://json-schema.org/draft-04/schema#', { minimum: 5, exclusiveMinimum: true }, 5],
    ['https://json-schema.org/draft/2019-09/schema', { dependentRequired: { a: ['b'] } }, { a: 1 }],
  ])('goes by the draft that $schema names: %s', async ($schema, schema, wrong) => {
    expect((await judge({ ...schema, ...($schema === undefined ? {} : { $schema }) }, wrong)).kind).toBe('misfits');
  });

  it('in draft 7 what stands beside $ref counts for nothing, since 2019-09 it counts', async () => {
    const schema = { $ref: '#/definitions/any', definitions: { any: {} }, type: 'string' };
    expect(await judge({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema }, 1)).toEqual(fits);
    expect((await judge({ $schema: 'https://json-schema.org/draft/2019-09/schema', ...schema }, 1)).kind).toBe('misfits');
  });

  it('follows references within the schema, as deep as the value goes', async () => {
    const tree = { $ref: '#/$defs/N', $defs: { N: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/N' } }, n: { type: 'number' } }, required: ['n'] } } };
    expect(await judge(tree, { n: 1, kids: [{ n: 2, kids: [{ n: 3 }] }] })).toEqual(fits);
    expect(await judge(tree, { n: 1, kids: [{ n: 2, kids: [{}] }] })).toEqual({ kind: 'misfits', problems: ['/kids/0/kids/0 lacks the required property "n"'] });
  });

  it('does not refuse a call for keywords that make no sense, a format, or a pattern of another dialect', async () => {
    const sloppy = { type: 'object', properties: { a: { type: 'str', required: true }, b: { type: 'string', format: 'email', pattern: '(?P<year>[0-9]+)' }, c: { enum: [] }, d: { anyOf: [] }, e: 7 }, required: true };
    expect(await judge(sloppy, { a: 1, b: 'x', c: 2, d: 3, e: 4 })).toEqual(fits);
    expect((await judge(sloppy, { b: 1 })).kind).toBe('misfits');
  });

  it('property names that mean something to the language are only names', async () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}},"required":["constructor"],"additionalProperties":false}') as JsonObject; // written above
    expect(await judge(schema, JSON.parse('{"__proto__":"a","constructor":"b"}'))).toEqual(fits);
    expect((await judge(schema, JSON.parse('{"__proto__":1,"constructor":"b"}'))).kind).toBe('misfits');
    expect((await judge(schema, {})).kind).toBe('misfits');
  });

  it('keeps a schema and another one apart', async () => {
    for (let round = 0; round < 3; round++) {
      expect(await judge({ type: 'string' }, 'a')).toEqual(fits);
      expect((await judge({ type: 'number' }, 'a')).kind).toBe('misfits');
    }
  });

  it('goes on after more schemas than it remembers', async () => {
    const first = { const: -1 };
    expect(await judge(first, -1)).toEqual(fits);
    for (let n = 0; n < 700; n++) expect(await judge({ const: n }, n)).toEqual(fits);
    expect(await judge(first, -1)).toEqual(fits);
  });
});

describe('a plain schema is judged in place', () => {
  /** Where a thread would be started, there is none. */
  const withoutThreads = (): SchemaValidator & AsyncDisposable => createSchemaValidator({ worker: location, threads: 0 });
  const plain = {
    $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', required: ['path'], additionalProperties: false,
    properties: { path: { type: 'string', minLength: 1, description: 'Where' }, lines: { type: 'array', maxItems: 3, items: { type: 'integer', minimum: 1 } }, pattern: { enum: ['a', 'b'] } },
  };

  it('with the same words as on a thread', async () => {
    await using validator = withoutThreads();
    for (const value of [{ path: 'a', lines: [1], pattern: 'b' }, {}, { path: '', lines: [0, 'x', 1, 2], pattern: 'c', more: 1 }, 7]) {
      // `uniqueItems: false` allows all there is, and is not plain.
      expect(await validator.check(plain, value, signal)).toEqual(await judge({ ...plain, uniqueItems: false }, value));
    }
  });

  it.each([
    ['a pattern', { properties: { a: { type: 'string', pattern: '^a' } } }],
    ['patterns for names', { patternProperties: { '^a': {} } }],
    ['a reference', { properties: { a: { $ref: '#' } } }],
    ['items that must differ', { items: { uniqueItems: true } }],
    ['a choice', { additionalProperties: { anyOf: [{}, {}] } }],
    ['a keyword of tomorrow', { items: { properties: { a: { later: 1 } } } }],
    ['forty levels', Array.from({ length: 40 }).reduce<JsonObject>((inner) => ({ items: inner }), {})],
  ])('but not with %s', async (_, schema) => {
    await using validator = withoutThreads();
    await expect(validator.check(schema, {}, AbortSignal.timeout(100))).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('nor when it may take long: both sizes count', async () => {
    await using validator = withoutThreads();
    const long = { enum: Array.from({ length: 2_000 }, (_, at) => `word ${at}`) };
    expect(await validator.check(long, 'word 7', signal)).toEqual(fits);
    await expect(validator.check(long, 'x'.repeat(20_000), AbortSignal.timeout(100))).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(validator.check({ items: { type: 'integer' } }, Array.from({ length: 100_000 }, () => 1), AbortSignal.timeout(100))).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('what cannot be used', () => {
  it.each([
    ['a reference to itself', { $ref: '#' }],
    ['a circle of references', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
    ['a reference that leads nowhere', { $ref: '#/nowhere' }],
  ])('%s is not a schema', async (_, schema) => {
    expect(await judge(schema, {})).toMatchObject({ kind: 'unusable', reason: 'not-a-schema' });
    expect(await judge({ type: 'object' }, {})).toEqual(fits);
  });

  it.each([[null], [7], ['text'], [[]]])('%j is not a schema', async (value) => {
    expect(await judge(value as unknown as JsonObject, {})).toMatchObject({ kind: 'unusable', reason: 'not-a-schema' }); // what a server may send
  });

  it('a schema that holds itself as an object is not a schema', async () => {
    const circle: Record<string, unknown> = {};
    circle.not = circle;
    expect(await judge(circle, {})).toMatchObject({ kind: 'unusable', reason: 'not-a-schema' });
  });

  it('a reference to another place is never fetched', async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const verdict = await judge({ properties: { a: { $ref: `http://127.0.0.1:${port}/schema.json` } } }, { a: 1 });
    server.close();
    expect(verdict).toMatchObject({ kind: 'unusable', reason: 'not-a-schema', message: expect.stringContaining('nothing is fetched') });
    expect(asked).toBe(0);
  });

  it('a pattern that would never end is too slow, and the next schema is judged as if nothing had been', async () => {
    await using hasty = createSchemaValidator({ worker: location });
    const before = performance.now();
    expect(await hasty.check(hostilePattern, hostileValue, signal)).toMatchObject({ kind: 'unusable', reason: 'too-slow' });
    expect(performance.now() - before).toBeGreaterThan(240);
    expect(await patient.check(hostilePattern, { a: 'aaa' }, signal)).toEqual(fits);
  });

  it('a hostile schema on one thread does not keep others waiting', async () => {
    await using two = createSchemaValidator({ worker: location, deadlineMs: 60_000 });
    const stuck = two.check(hostilePattern, hostileValue, signal).then(() => 'stuck', () => 'stopped');
    expect(await two.check({ type: 'string' }, 'a', signal)).toEqual(fits);
    await two[Symbol.asyncDispose]();
    expect(await stuck).toBe('stopped');
  });

  it('alternatives that double at every level are too slow, not the end of the app', async () => {
    const $defs = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`d${n}`, { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] }]));
    await using hasty = createSchemaValidator({ worker: location });
    expect(await hasty.check({ $ref: '#/$defs/d0', $defs: { ...$defs, d40: {} } }, {}, signal)).toMatchObject({ kind: 'unusable', reason: 'too-slow' });
  });

  it('a verdict comes for every schema of a careless or hostile server, and the app lives on', async () => {
    await using some = createSchemaValidator({ worker: location, deadlineMs: 1_000 });
    for (const { name, json } of hostileSchemas) {
      const schema = JSON.parse(json) as JsonObject; // as a server sends it
      const verdict = await some.check(schema, { a: 'x', root: { kids: [] } }, signal);
      expect(['fits', 'misfits', 'unusable'], name).toContain(verdict.kind);
      if (verdict.kind === 'misfits') expect(verdict.problems.join('').length, name).toBeLessThan(4_000);
      if (verdict.kind === 'unusable') expect(verdict.message.length, name).toBeLessThan(300);
    }
    expect(await patient.check({ type: 'string' }, 'a', signal)).toEqual(fits);
  });

  it('a value that is nested without end does not fit', async () => {
    let value: unknown = 1;
    for (let n = 0; n < 200_000; n++) value = [value];
    expect((await judge({}, value)).kind).toBe('misfits');
  });
});

describe('waiting and ending', () => {
  it('an abort ends the wait at once, and one that waits for its turn never starts', async () => {
    await using one = createSchemaValidator({ worker: location, deadlineMs: 60_000, threads: 1 });
    const controllers = [new AbortController(), new AbortController()];
    const checks = controllers.map((controller) => one.check(hostilePattern, hostileValue, controller.signal).catch((error: unknown) => error));
    const reason = new Error('enough');
    for (const controller of controllers) controller.abort(reason);
    expect(await Promise.all(checks)).toEqual([reason, reason]);
    await expect(one.check({}, 1, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('a worker that cannot start is a failure, not a wait', async () => {
    await using none = createSchemaValidator({ worker: new URL('file:///nonexistent/validator-worker.js') });
    await expect(none.check(hostilePattern, hostileValue, signal)).rejects.toMatchObject({ code: 'internal/bug' });
  });

  it('an idle worker does not keep the process alive', async () => {
    const program = await buildProgram('test/support/programs/one-check.ts');
    const child = ChildProgram.node(program.file, location.href);
    expect(await child.ended()).toBe(0);
    expect(child.lines).toEqual(['fits']);
    await program[Symbol.asyncDispose]();
  });
});
