import { describe, expect, it } from 'vitest';
import type { ServerLogLine } from '../../../shared/model/connection-state.ts';
import { logText, plainLine, withLevel } from './log-text.ts';

const line = (level: ServerLogLine['level'], text: string = level): ServerLogLine => ({
  at: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  from: 'stderr',
  level,
  text,
});
const lines = [line('debug'), line('info'), line('warning'), line('error')];

describe('the log', () => {
  it('shows a level and all that weigh more', () => {
    expect(withLevel(lines, 'all')).toHaveLength(4);
    expect(withLevel(lines, 'warning').map(({ level }) => level)).toEqual(['warning', 'error']);
    expect(withLevel(lines, 'error').map(({ level }) => level)).toEqual(['error']);
  });

  it('leaves out the colours of a terminal, and nothing else that is not seen', () => {
    expect(plainLine('\u001B[1;31mfailed\u001B[0m \u202Etxt')).toBe('failed \u202Etxt');
    expect(plainLine('\u001B[2Jgone')).toBe('\u001B[2Jgone');
  });

  it('is copied with full times', () => {
    expect(logText([line('error', '\u001B[31mno\u001B[0m')])).toBe('2026-01-02T03:04:05.006Z stderr error no');
  });
});
