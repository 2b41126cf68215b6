import { describe, expect, it } from 'vitest';
import type { ProtocolMessage } from '../../../shared/model/protocol-message.ts';
import { isTrouble, methodText, sizeText, tookText, withWords } from './message-filter.ts';

const message = (over: Partial<ProtocolMessage>): ProtocolMessage => ({ seq: 1, at: 0, direction: 'sent', kind: 'request', method: 'tools/call', size: 120, over: 'stdio', ...over });
const all = [
  message({ seq: 1, about: 'read_file', id: 7 }),
  message({ seq: 2, kind: 'response', direction: 'received', id: 7, error: { message: 'The tool reports an error' } }),
  message({ seq: 3, kind: 'notification', method: 'notifications/progress' }),
  message({ seq: 4, kind: 'error', direction: 'received', id: 8, error: { code: -32601, message: 'Method not found' } }),
  message({ seq: 5, http: { status: 502 } }),
  message({ seq: 6, http: { status: 200 } }),
];
const found = (text: string, kind: Parameters<typeof withWords>[2] = 'all') => withWords(all, text, kind).map(({ seq }) => seq);

describe('messages that are shown', () => {
  it('are those with every word, in whatever part', () => {
    expect(found('READ call')).toEqual([1]);
    expect(found('#7')).toEqual([1, 2]);
    expect(found('-32601')).toEqual([4]);
    expect(found('502')).toEqual([5]);
    expect(found('  ')).toEqual([1, 2, 3, 4, 5, 6]);
    expect(withWords(all, '', 'all')).toBe(all);
  });

  it('are those of a kind; an error is one whoever says so', () => {
    expect(found('', 'request')).toEqual([1, 5, 6]);
    expect(found('', 'response')).toEqual([2]);
    expect(found('', 'notification')).toEqual([3]);
    expect(found('', 'error')).toEqual([2, 4, 5]);
    expect(all.filter(isTrouble).map(({ seq }) => seq)).toEqual([2, 4, 5]);
  });

  it('have words for what is short, large or answers nothing', () => {
    expect([tookText(0), tookText(12), tookText(1500)]).toEqual(['< 1 ms', '12 ms', '1.5 s']);
    expect([sizeText(message({})), sizeText(message({ size: 2_400_000, larger: true }))]).toEqual(['120 bytes', '> 2.4 MB']);
    expect(methodText(message({ method: '', kind: 'response' }))).toBe('answer to nothing');
  });
});
