import { describe, expect, it } from 'vitest';
import { ageGroup, bytesText, countText, durationText } from './time.ts';

describe('times and amounts in words', () => {
  it.each([[4, '4 ms'], [240, '0.2 s'], [1400, '1.4 s'], [9990, '10 s'], [48_000, '48 s'], [125_000, '2 min 5 s'], [4_320_000, '1 h 12 min']])('says %i ms as %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
  it.each([[1, '1 tool'], [0, '0 tools'], [1240, '1,240 tools']])('counts %i as %s', (count, text) => {
    expect(countText(count, 'tool')).toBe(text);
  });
  it.each([[812, '812 bytes'], [4100, '4.1 kB'], [2_300_000, '2.3 MB']])('measures %i as %s', (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
  });

  const now = new Date(2026, 2, 30, 0, 30).getTime();
  it.each([
    [new Date(2026, 2, 30, 0, 5), 'Today'], [new Date(2026, 2, 29, 23, 59), 'Yesterday'], [new Date(2026, 2, 29, 0, 0), 'Yesterday'], [new Date(2026, 2, 24, 12, 0), 'Last week'],
    [new Date(2026, 2, 5, 12, 0), 'Last month'],
  ])('puts %s under its heading, by days and not by hours', (at, group) => {
    expect(ageGroup(at.getTime(), now)).toBe(group);
  });
});
