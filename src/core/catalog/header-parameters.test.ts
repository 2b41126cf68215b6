import { expect, it } from 'vitest';
import { headerProblem } from './header-parameters.ts';
import { parseTools } from './parse-listing.ts';

const schema = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({ type: 'object', properties, ...more });
const header = (name: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': name });

it('a tool whose arguments cannot be sent as the headers that it names cannot be used, and says why', () => {
  for (const wrong of ['', 'My Region', 'Region:Primary', 'Région', 'Region\t1', 7, null])
    expect(headerProblem(schema({ value: header(wrong) }))).toContain('no name of a header');
  for (const type of ['object', 'array', 'null', 'number', undefined, ['string', 'null']])
    expect(headerProblem(schema({ value: header('Region', type === undefined ? null : type) }))).toContain('no string, integer or boolean');
  expect(headerProblem(schema({ a: header('MyField'), b: header('myfield') }))).toContain('stands twice');
  expect(headerProblem(schema({ a: { type: 'array', items: header('Region') } }))).toContain('not every call');
  expect(headerProblem(schema({}, { anyOf: [schema({ a: header('Region') })] }))).toContain('not every call');
  expect(headerProblem(schema({}, { $defs: { a: header('Region') } }))).toContain('not every call');
  expect(headerProblem(header('Region'))).toContain('all of its arguments');
  const [tool] = parseTools([{ name: 't', inputSchema: schema({ a: header('') }) }]).tools;
  expect(tool?.problem).toContain('x-mcp-header');
});

it('headers of arguments at any depth are fine, and so is the word anywhere in values', () => {
  const fine = schema({ region: header('Region'), depth: schema({ priority: header('Priority', 'integer'), debug: header('Debug', 'boolean') }) });
  expect(headerProblem(fine)).toBeUndefined();
  expect(headerProblem(schema({ a: { type: 'object', default: { 'x-mcp-header': '' }, examples: [{ 'x-mcp-header': '' }] } }))).toBeUndefined();
  expect(headerProblem(schema({ 'x-mcp-header': { type: 'string' } }))).toBeUndefined();
  expect(headerProblem(undefined)).toBeUndefined();
});
