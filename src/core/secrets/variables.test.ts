import { describe, expect, it } from 'vitest';
import { Secret } from '../kernel/secret.ts';
import { fillText, parseTemplate, type FactName, type FilledText, type Lookups } from './variables.ts';

const values: Readonly<Record<string, string>> = { HOST: 'h.example', EMPTY: '', 'ProgramFiles(x86)': 'C:\\P', TRICK: '${HOST} $env:HOST {env:HOST} ${secret:K}' };
const facts: Readonly<Partial<Record<FactName, string>>> = { workspaceFolder: '/projects/shop', workspaceFolderBasename: 'shop', userHome: '/home/ann', pathSeparator: '/' };
const lookups: Lookups = {
  variable: (name) => (Object.hasOwn(values, name) ? values[name] : undefined),
  fact: (name) => facts[name],
  input: (id) => (id === 'pat' ? new Secret('s3cret-pat') : id === 'region' ? 'eu' : undefined),
  secret: (key) => (key === 'K' ? new Secret('s3cret-k') : undefined),
};
const fill = (text: string, over: Partial<Lookups> = {}): FilledText => fillText(parseTemplate(text), { ...lookups, ...over });

describe('a text of a configuration file', () => {
  it.each([
    ['${HOST}', 'h.example'],
    ['${env:HOST}', 'h.example'],
    ['$env:HOST/x', 'h.example/x'],
    ['{env:HOST}', 'h.example'],
    ['https://${HOST:-api.example.com}/mcp', 'https://h.example/mcp'],
    ['https://${NONE:-api.example.com}/mcp', 'https://api.example.com/mcp'],
    ['${EMPTY:-filled}', 'filled'],
    ['[${EMPTY}]', '[]'],
    ['${NONE:-}', ''],
    ['${NONE:-${HOST}}', 'h.example'],
    ['${NONE:-${ALSO_NONE:-deep}}', 'deep'],
    ['${env:NONE:-d}', 'd'],
    ['${env:ProgramFiles(x86)}\\x', 'C:\\P\\x'],
    ['${workspaceFolder}${pathSeparator}${workspaceFolderBasename}', '/projects/shop/shop'],
    ['${userHome}${/}a', '/home/ann/a'],
    ['${input:pat}-${input:region}', 's3cret-pat-eu'],
    ['x=${secret:K}', 'x=s3cret-k'],
    ['${HOST}${HOST}', 'h.exampleh.example'],
  ])('%s is filled in', (text, filled) => {
    expect(fill(text)).toMatchObject({ text: filled, missing: [] });
  });

  it.each([
    '$5 off', '$', 'a$', '$$', '$HOST', '${', '${}', '${HOST', '${ HOST }', '${HO-ST}', '${1A}', '${command:pick}', '${config:x.y}', '${file}:'.replace('file', 'my file'),
    '${secret:bad key}', '$env:', '$env:1', '{env:}', '{env:HOST', '{HOST}', '${input:}', '{env:HOST:-x}',
  ])('%s is left as it is', (text) => {
    expect(fill(text)).toEqual({ text, missing: [], secret: [] });
  });

  it('without a value is empty, and says once whose', () => {
    expect(fill('a${NONE}b${NONE}c${env:OTHER}${input:gone}${secret:gone}')).toEqual({ text: 'abc', missing: ['NONE', 'OTHER', 'input:gone', 'secret:gone'], secret: [] });
    expect(fill('${workspaceFolder}/x', { fact: () => undefined })).toMatchObject({ text: '/x', missing: ['workspaceFolder'] });
    expect(fill('${NONE:-${OTHER}}').missing).toEqual(['OTHER']);
  });

  it('says which parts of it are secret: what the vault gave, and variables whose names say so', () => {
    const named: Lookups['variable'] = (name) => (name === 'API_TOKEN' ? 'tok-123456' : 'open');
    expect(fill('${API_TOKEN}/${REGION}/${secret:K}/${input:region}', { variable: named })).toEqual({
      text: 'tok-123456/open/s3cret-k/eu', missing: [], secret: ['tok-123456', 's3cret-k'],
    });
  });

  it('names of an object’s own machinery are variables like any other', () => {
    expect(fill('${constructor}${__proto__}${toString}')).toEqual({ text: '', missing: ['constructor', '__proto__', 'toString'], secret: [] });
  });

  it('a hostile one of many openings is read quickly', () => {
    const before = performance.now();
    for (const text of [`${'${'.repeat(200_000)}}`, `${'${'.repeat(100_000)}${'}'.repeat(100_000)}`]) expect(fill(text).text).toBe(text);
    expect(fill(`${'${NONE:-'.repeat(50_000)}x${'}'.repeat(50_000)}`).missing).toEqual([]);
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});

describe('values are put in once', () => {
  it('one that looks like a variable stays as it is', () => {
    expect(fill('${TRICK}').text).toBe(values['TRICK']);
    expect(fill('${NONE:-x}${TRICK}${input:pat}', { input: () => new Secret('${HOST}') }).text).toBe(`x${values['TRICK']}\${HOST}`);
  });

  it('whatever texts and values are made of the signs of variables', () => {
    const next = random(7);
    const signs = ['${', '}', '$', '{', 'env:', '$env:', '{env:', 'A', 'B', ':-', 'secret:A', 'input:A', '!', '~', ' '];
    const some = (count: number): string => Array.from({ length: Math.floor(next() * count) }, () => signs[Math.floor(next() * signs.length)]).join('');
    for (let trial = 0; trial < 3_000; trial += 1) {
      const text = some(14);
      const known: Readonly<Record<string, string>> = { A: some(6), B: some(6) };
      const marks: Readonly<Record<string, string>> = { A: '\u0001', B: '\u0002' };
      const by = (table: Readonly<Record<string, string>>): Lookups => ({
        variable: (name) => (Object.hasOwn(table, name) ? table[name] : undefined),
        fact: () => undefined,
        input: (id) => (Object.hasOwn(table, id) ? table[id] : undefined),
        secret: (key) => (Object.hasOwn(table, key) ? new Secret(table[key] ?? '') : undefined),
      });
      const pieces = parseTemplate(text);
      // Nothing is lost or doubled by taking the text apart.
      expect(pieces.map((piece) => (piece.kind === 'text' ? piece.text : piece.written)).join('')).toBe(text);
      // Values stand where marks would stand, byte for byte, unless an empty one gave way to a default.
      if (known['A'] === '' || known['B'] === '') continue;
      const marked = fillText(pieces, by(marks)).text;
      const expected = marked.replaceAll('\u0001', () => known['A'] ?? '').replaceAll('\u0002', () => known['B'] ?? '');
      expect(fillText(pieces, by(known)).text).toBe(expected);
    }
  });
});

/** The same numbers each time: a trial that fails can be run again. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
