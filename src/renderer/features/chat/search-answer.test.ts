import { describe, expect, it } from 'vitest';
import type { ToolOutcome } from '../../../shared/model/tool-call.ts';
import { searchAnswer, searchRemark } from './search-answer.ts';

const answered = (data: unknown): ToolOutcome => ({ kind: 'succeeded', result: { parts: [], structured: { json: JSON.stringify(data), preview: '' } } });

describe('what a search for tools came to', () => {
  it('tells what was loaded from what was not, with the reason', () => {
    const answer = searchAnswer(answered({
      items: [{ name: 'add', server: 'Notes', loaded: true }, { name: 'odd', server: 'Odd', loaded: false, why: 'its schema is not taken' }, { name: 7 }],
      total: 12, coverage: { unknownServers: ['Far', 3] },
    }));
    expect(answer).toEqual({ tools: [{ name: 'add', server: 'Notes' }, { name: 'odd', server: 'Odd', why: 'its schema is not taken' }], total: 12, unseen: ['Far'] });
    expect(answer && searchRemark(answer)).toBe('1 loaded, 1 not loaded');
  });

  it('says that nothing fits, and reads nothing out of what is no answer', () => {
    const none = searchAnswer(answered({ items: [], total: 0, coverage: {} }));
    expect(none && searchRemark(none)).toBe('nothing fits');
    expect(searchAnswer(answered({ error: { code: 'empty_query' } }))).toBeUndefined();
    expect(searchAnswer({ kind: 'cancelled' })).toBeUndefined();
  });
});
