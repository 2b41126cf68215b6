import { expect, it } from 'vitest';
import { jsonPieces, shortJson } from './json-pieces.ts';

const together = (value: unknown): string => [...jsonPieces(value)].join('');

it('makes the same text as JSON.stringify, in small pieces', () => {
  const long = '👩‍🚀"\\\n\u2028\ud800'.repeat(40_000);
  for (const value of [null, false, 0, 1e21, '', 'é"', [], {}, [[], {}], { a: [1, { b: null }], '"': 'x', __proto__: 1 }, { long, list: [long, 1] }]) {
    const text = together(value);
    expect(JSON.parse(text)).toEqual(value);
    if (!text.includes(String.raw`\ud83d`)) expect(text).toBe(JSON.stringify(value));
  }
  expect(Math.max(...[...jsonPieces([long, Array.from({ length: 50_000 }, (_, at) => ({ at }))])].map((piece) => piece.length))).toBeLessThan(500_000);
});

it('knows no depth that is too deep', () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 200_000; depth += 1) deep = [deep];
  expect(together(deep).length).toBe(400_001);
});

it('gives a text only when it is short', () => {
  expect(shortJson({ a: 1 }, 7)).toBe('{"a":1}');
  expect(shortJson({ a: 1 }, 6)).toBeUndefined();
});
