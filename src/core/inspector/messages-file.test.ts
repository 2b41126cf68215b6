import { describe, expect, it } from 'vitest';
import { MessageLog } from './message-log.ts';
import { messagesFile } from './messages-file.ts';

const row = { direction: 'received', kind: 'response', method: 'tools/call', about: undefined, id: 1, over: 'stdio', error: undefined } as const;

describe('a file of messages', () => {
  it('is JSON of those that were asked for, in their order, with what they carried and no secret', () => {
    using log = new MessageLog({ now: () => 0, mask: (text) => text.replaceAll('hunter2', '•••') });
    for (const text of ['one', 'two hunter2', 'three']) log.add(row, { result: { text } });
    const { text, leftOut } = messagesFile('My server', log, [3, 2, 2, 99], 0);
    expect(JSON.parse(text)).toMatchObject({
      server: 'My server', exportedAt: '1970-01-01T00:00:00.000Z', leftOut: 1,
      messages: [{ seq: 2, method: 'tools/call', at: '1970-01-01T00:00:00.000Z', cut: false, payload: { result: { text: 'two •••' } } }, { seq: 3 }],
    });
    expect(leftOut).toBe(1);
    expect(JSON.parse(messagesFile('none', log, [], 0).text)).toMatchObject({ messages: [] });
  });

  it('holds no more than a window may save at once, and says how many it left out', () => {
    using log = new MessageLog({ now: () => 0, mask: (text) => text });
    const lines = Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`n${at}`, '\u0001'.repeat(10)]));
    for (let count = 0; count < 25; count += 1) log.add(row, { result: lines });
    const seqs = log.state.messages.map(({ seq }) => seq);
    const { text, leftOut } = messagesFile('s', log, seqs, 0);
    expect(text.length).toBeLessThan(4_100_000);
    expect(JSON.parse(text).messages).toHaveLength(seqs.length - leftOut);
    expect(leftOut).toBeGreaterThan(5);
  });
});
