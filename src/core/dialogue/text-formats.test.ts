import { expect, it } from 'vitest';
import { formatProblems } from './text-formats.ts';

const misfits = (format: string, ...texts: readonly string[]) => texts.filter((text) => formatProblems({ properties: { a: { type: 'string', format } } }, { a: text }).length > 0);

it('an e-mail address, an address, a date and a date with time are what they are called', () => {
  const bad = { email: ['ada', 'ada@', '@x.example', 'a b@x.example', 'ada@x..example', 'ada@-x.example', 'ada@x.example,b@y.example'], uri: ['x', '/path', 'https://a b', '//host/x'], date: ['2026-02-30', '2026-13-01', '26-01-01', '2026-1-1', '2026-00-10'], 'date-time': ['2026-11-30', '2026-11-30T10:00:00', '2026-11-30T25:00:00Z', '2026-02-30T10:00:00Z', '2026-11-30 10:00:00Z'] };
  const good = { email: ['ada@x.example', 'a.b+c@x', 'ada@bücher.example'], uri: ['https://x.example/?a=b', 'mailto:ada@x.example', 'urn:isbn:1'], date: ['2026-11-30', '2028-02-29'], 'date-time': ['2026-11-30T10:00:00Z', '2026-11-30T10:00:00.25+01:00'] };
  for (const [format, texts] of Object.entries(bad)) expect(misfits(format, ...texts)).toEqual(texts);
  for (const [format, texts] of Object.entries(good)) expect(misfits(format, ...texts)).toEqual([]);
});

it('what has no format, or is left out, is not judged', () => {
  expect(formatProblems({ properties: { a: { type: 'string' }, b: { type: 'string', format: 'date' }, c: { type: 'string', format: 'zip' } } }, { a: 'x', c: 'y' })).toEqual([]);
  expect(formatProblems({ properties: { b: { format: 'date' } } }, { b: 'soon' })).toEqual(['b has to be a date such as 2026-11-30']);
});
