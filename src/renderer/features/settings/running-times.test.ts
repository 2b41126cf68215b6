import { expect, it } from 'vitest';
import { idleText, minutesOf, requestText, secondsOf } from './running-times.ts';

it('takes parts of a minute, with a point or a comma, and 0', () => {
  expect([minutesOf('10'), minutesOf(' 0,5 '), minutesOf('0.25'), minutesOf('0')]).toEqual([10, 0.5, 0.25, 0]);
  for (const text of ['', 'ten', '-1', '10081', '1e3']) expect(minutesOf(text)).toHaveProperty('problem');
  expect(idleText(0.5)).toBe('0.5');
});

it('seconds become milliseconds, and nothing is the usual', () => {
  expect([secondsOf(''), secondsOf('90'), secondsOf('0,5')]).toEqual([0, 90_000, 500]);
  for (const text of ['0', '-1', '3601', 'x']) expect(secondsOf(text)).toHaveProperty('problem');
  expect([requestText(0), requestText(-1), requestText(1_500)]).toEqual(['', '', '1.5']);
});
