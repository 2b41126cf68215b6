import { expect, it } from 'vitest';
import { daysOf, limitProblem, limitsOf, withLimit } from './result-limits.ts';

it('limits of one’s own are kept one by one, and none at all is simply on', () => {
  expect(limitsOf(true)).toEqual({ maxBytes: 51_200, maxLines: 2_000, detailsMaxBytes: 16_384 });
  const one = withLimit(true, 'maxLines', 10);
  expect(one).toEqual({ maxLines: 10 });
  expect(typeof one === 'object' && limitsOf(one)).toMatchObject({ maxBytes: 51_200, maxLines: 10 });
  expect(withLimit({ maxLines: 10, maxBytes: 5 }, 'maxLines', undefined)).toEqual({ maxBytes: 5 });
  expect(withLimit({ maxLines: 10 }, 'maxLines', undefined)).toBe(true);
});

it('a limit is a whole number above nothing', () => {
  for (const wrong of ['', '0', '-1', '1.5', '1e3', 'x', '9'.repeat(12)]) expect(limitProblem(wrong)).toBeDefined();
  expect(limitProblem(' 400 ')).toBeUndefined();
});

it('a time that only a file says is among the choices, in its place', () => {
  expect(daysOf(undefined).map(({ value }) => value)).toEqual(['chat', '1', '7', '30', '90', '365']);
  expect(daysOf(14).map(({ value }) => value)).toEqual(['chat', '1', '7', '14', '30', '90', '365']);
});
