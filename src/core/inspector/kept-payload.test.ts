import { describe, expect, it } from 'vitest';
import { keptPayload } from './kept-payload.ts';
import { shownPayload } from './shown-payload.ts';

const same = (text: string) => text;
const shown = (value: unknown, mask = same) => shownPayload(keptPayload(value).value, mask);

describe('what is kept of a message', () => {
  it('is the message itself while it is small, and its size is that of its JSON', () => {
    const message = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'hello' }], n: [1, true, null] } };
    const kept = keptPayload(message);
    expect(kept).toMatchObject({ cut: false, larger: false });
    expect(kept.value).toBe(message);
    expect(Math.abs(kept.size - JSON.stringify(message).length)).toBeLessThan(20);
    expect(shown(message)).toEqual(message);
  });

  it('is its beginning when it is large, with its size and what is left out', () => {
    const huge = { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(20_000_000), after: 'kept' } };
    const kept = keptPayload(huge);
    expect(kept).toMatchObject({ cut: true, larger: false });
    expect(kept.size).toBeGreaterThan(20_000_000);
    expect(kept.kept).toBeLessThan(270_000);
    expect(JSON.stringify(shown(huge)).length).toBeLessThan(20_000);
    expect(JSON.stringify(shown(huge))).toMatch(/x… \[cut: 20,000,000 characters in all\]","after":"kept"/);
    const many = { result: { tools: Array.from({ length: 20_000 }, (_, n) => ({ name: `tool_${n}`, description: 'd'.repeat(200) })) } };
    expect(JSON.stringify(shown(many))).toMatch(/\[[\d,]+ more, cut\]/);
    expect(keptPayload(many).kept).toBeLessThan(270_000);
  });

  it('takes little time and space for what no message should be', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`);
    expect(JSON.stringify(shown(deep)).length).toBeLessThan(2000);
    const wide = Array.from({ length: 400_000 }, (_, n) => n);
    expect(keptPayload(wide)).toMatchObject({ larger: true, cut: true });
    expect(JSON.stringify(shown(wide)).length).toBeLessThan(400_000);
  });
});

describe('what is shown of a message', () => {
  const secret = 'hunter2-canary';
  const mask = (text: string) => text.replaceAll(secret, '•••');

  it('has no secret in texts, names or within larger text, and not a part of one where a text is cut', () => {
    const message = { params: { [`key ${secret}`]: 1, [secret]: 2, list: [`a ${secret} b`, { deep: `{"token":"${secret}"}` }] } };
    expect(shown(message, mask)).toEqual({ params: { 'key •••': 1, '•••': 2, list: ['a ••• b', { deep: '{"token":"•••"}' }] } });
    for (let shift = -20; shift <= 20; shift += 1) {
      const text = `${'y'.repeat(8 * 1024 + shift)}${secret}${'z'.repeat(90_000)}`;
      expect(JSON.stringify(shown({ text }, mask))).not.toMatch(/hunt|anary/);
    }
  });

  it('keeps two names apart that are one when their secrets are hidden', () => {
    const all = (text: string) => text.replaceAll(/secret-\d/g, '•••');
    expect(shown({ 'secret-1': 'a', 'secret-2': 'b' }, all)).toEqual({ '•••': 'a', '••• (2)': 'b' });
  });

  it('counts the data of pictures, sounds and files and does not show it', () => {
    const data = 'QUJD'.repeat(5000);
    expect(shown({ content: [{ type: 'image', data, mimeType: 'image/png' }, { type: 'resource', resource: { uri: 'a:b', blob: data } }, { data: 'plain' }] })).toEqual({
      content: [{ type: 'image', data: '[base64, 20,000 characters]', mimeType: 'image/png' }, { type: 'resource', resource: { uri: 'a:b', blob: '[base64, 20,000 characters]' } }, { data: 'plain' }],
    });
  });

  it('takes names of the language as names', () => {
    const odd: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":"x"}');
    expect(JSON.stringify(shown(odd))).toBe('{"__proto__":{"a":1},"constructor":"x"}');
  });
});
