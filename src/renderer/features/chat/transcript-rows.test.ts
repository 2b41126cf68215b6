import { describe, expect, it } from 'vitest';
import type { NewEntry, TranscriptEntry } from '../../../shared/model/transcript-entry.ts';
import { emptyChatState, reduceChat, type ChatState } from '../../../shared/state/chat-state.ts';
import { transcriptRows } from './transcript-rows.ts';

let count = 0;
/** What a log would hold, folded as the window folds it. */
function chat(...entries: readonly NewEntry[]): ChatState {
  return entries.reduce((state, entry) => {
    count += 1;
    return reduceChat(state, { type: 'entry', entry: { ...entry, id: `e${count}`, parent: null, at: count } as TranscriptEntry }); // ids are only compared
  }, emptyChatState);
}
const model = { providerId: 'p', model: 'm' };
const call = (id: string) => ({ id, ref: { serverId: 's', tool: 't', revision: 'r' }, serverName: 'S', args: {}, caller: { kind: 'chat', chatId: 'c' } });
/** Entries as they are written, without the brands of their ids. */
const entry = (value: object): NewEntry => value as NewEntry;
const user = entry({ type: 'user-message', text: 'Hello' });
const started = entry({ type: 'run-started', runId: 'r', model });
const step = (number: number) => entry({ type: 'step-started', runId: 'r', step: number, model, toolsOffered: 1, toolsSetAside: [] });
/** The id that the next step's entry will get. */
const nextId = (offset: number): string => `e${count + offset}`;
const kinds = (state: ChatState) => transcriptRows(state).map((row) => row.kind);

describe('the rows of a transcript', () => {
  it('says that it works until something of the answer is there', () => {
    expect(kinds(chat(user, started, step(1)))).toEqual(['user', 'working']);
    const id = nextId(3);
    expect(kinds(chat(user, started, step(1), entry({ type: 'text', stepId: id, delta: 'Hi' })))).toEqual(['user', 'answer']);
  });

  it('puts calls that follow each other into one row, also across answers without words', () => {
    const [first, second] = [nextId(3), nextId(8)];
    const state = chat(
      user, started, step(1), entry({ type: 'call-requested', stepId: first, call: call('a') }), entry({ type: 'call-requested', stepId: first, call: call('b') }),
      entry({ type: 'call-settled', callId: 'a', outcome: { kind: 'cancelled' } }), entry({ type: 'step-finished', stepId: first, finish: 'tool-calls' }),
      step(2), entry({ type: 'call-requested', stepId: second, call: call('c') }),
    );
    expect(transcriptRows(state).find((row) => row.kind === 'calls')).toMatchObject({ calls: ['a', 'b', 'c'], direct: false });
  });

  it('starts a new row of calls after words', () => {
    const [first, second] = [nextId(3), nextId(6)];
    const state = chat(
      user, started, step(1), entry({ type: 'call-requested', stepId: first, call: call('a') }), entry({ type: 'step-finished', stepId: first, finish: 'tool-calls' }),
      step(2), entry({ type: 'text', stepId: second, delta: 'Now the next.' }), entry({ type: 'call-requested', stepId: second, call: call('b') }),
    );
    expect(kinds(state)).toEqual(['user', 'calls', 'answer', 'calls']);
  });

  it('shows calls of Direct mode as their own row', () => {
    expect(transcriptRows(chat(entry({ type: 'call-requested', call: call('a') }), entry({ type: 'call-requested', call: call('b') })))).toMatchObject([{ kind: 'calls', direct: true, calls: ['a', 'b'] }]);
  });

  it('says what a run brought along before its first answer, and that it works until that is there', () => {
    const prepared = entry({ type: 'run-prepared', runId: 'r', setup: { profile: 'research', servers: [], notes: [] } });
    expect(kinds(chat(user, started, prepared))).toEqual(['user', 'prepared', 'working']);
    const id = nextId(4);
    const rows = transcriptRows(chat(user, started, prepared, step(1), entry({ type: 'text', stepId: id, delta: 'Hi' })));
    expect(rows.map((row) => row.kind)).toEqual(['user', 'prepared', 'answer']);
    expect(rows[1]).toMatchObject({ item: { setup: { profile: 'research' } } });
  });

  it('knows what the last run brought along from what earlier ones did', () => {
    const prepared = (runId: string) => entry({ type: 'run-prepared', runId, setup: { profile: 'research', servers: [], notes: [] } });
    const rows = transcriptRows(chat(prepared('a'), prepared('b'))).filter((row) => row.kind === 'prepared');
    expect(rows.map((row) => row.last)).toEqual([false, true]);
  });

  it('offers to go on at the last ending only', () => {
    const stopped = entry({ type: 'run-settled', runId: 'r', ending: { how: 'stopped' } });
    const rows = transcriptRows(chat(user, started, stopped, user, started, stopped)).filter((row) => row.kind === 'ended');
    expect(rows.map((row) => row.last)).toEqual([false, true]);
  });

  it('keeps the keys of rows while text grows, so that nothing is drawn anew', () => {
    const id = nextId(3);
    const before = chat(user, started, step(1), entry({ type: 'text', stepId: id, delta: 'Hi' }));
    const after = reduceChat(before, { type: 'entry', entry: { type: 'text', stepId: id, delta: ' there', id: 'x', parent: null, at: 99 } as unknown as TranscriptEntry }); // ids are only compared
    expect(transcriptRows(after).map((row) => row.key)).toEqual(transcriptRows(before).map((row) => row.key));
  });
});
