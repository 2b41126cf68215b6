import { describe, expect, it } from 'vitest';
import type { ToolCallView, ToolOutcome } from '../../../shared/model/tool-call.ts';
import { argumentLine, callDuration, callWords } from './call-words.ts';

const call = { id: 'k', ref: { serverId: 's', tool: 'add', revision: 'r' }, serverName: 'Notes', args: {}, caller: { kind: 'cli' } };
/** A call as the window holds it; its ids have no brands here. */
const view = (rest: object): ToolCallView => ({ call, entryId: 'e', requestedAt: 0, ...rest }) as unknown as ToolCallView;
const settled = (outcome: ToolOutcome, startedAt?: number) => view({ phase: 'settled', settledAt: 1500, outcome, ...(startedAt === undefined ? {} : { startedAt }) });
const result = { parts: [] };

describe('words for calls', () => {
  it.each([
    [{ kind: 'succeeded', result }, 'working', 'Done'],
    [{ kind: 'tool-error', result }, 'trouble', 'The tool reports an error'],
    [{ kind: 'denied', by: 'user', reason: '' }, 'asleep', 'Denied by you'],
    [{ kind: 'denied', by: 'policy', reason: '' }, 'asleep', 'Denied by a rule'],
    [{ kind: 'denied', by: 'guard', reason: '' }, 'asleep', 'Refused before it ran'],
    [{ kind: 'cancelled' }, 'asleep', 'Cancelled'],
    [{ kind: 'failed', code: 'connection/unreachable', message: '' }, 'trouble', 'Failed'],
    [{ kind: 'failed', code: 'tool/outcome-unknown', message: '' }, 'needs-you', 'Outcome unknown'],
  ] as const)('says honestly how %j ended', (outcome, dot, word) => {
    expect(callWords(settled(outcome))).toMatchObject({ dot, word });
  });

  it('says how far a running call is', () => {
    expect(callWords(view({ phase: 'running', startedAt: 0, progress: { done: 24, total: 60, message: 'Reading' } })).remark).toBe('24 of 60 · Reading');
  });

  it('has a duration only for what ran', () => {
    expect(callDuration(settled({ kind: 'cancelled' }), 9)).toBeUndefined();
    expect(callDuration(settled({ kind: 'cancelled' }, 500), 9)).toBe(1000);
    expect(callDuration(view({ phase: 'running', startedAt: 100 }), 350)).toBe(250);
  });

  it('tells calls apart by their arguments, in one line of bounded length', () => {
    expect(argumentLine({ path: 'a\nb', deep: { x: [1] } })).toBe('path: a b, deep: {"x":[1]}');
    expect(argumentLine({ text: 'x'.repeat(500) }, 50)).toHaveLength(50);
  });
});
