import { describe, expect, it } from 'vitest';
import { rounded, savedTokens } from './cost-meter.tsx';

describe('the cost of tools in a chat', () => {
  it('is said to two digits, for it is an estimate', () => {
    expect([0, 7, 64, 643, 1_249, 88_412].map(rounded)).toEqual(['0', '7', '64', '640', '1,200', '88,000']);
  });
  it('is what a host that sends every tool would have sent, less what was sent, and results that stayed out', () => {
    expect(savedTokens({ requests: 2, sent: 1_000, plainHost: 9_000, keptOut: 500 })).toBe(8_500);
  });
});
