import { describe, expect, it } from 'vitest';
import { ContentId, Revision, ServerId, ToolCallId } from '../../shared/ids.ts';
import { answerForModel } from './model-text.ts';
import { guardResult } from './results.ts';
import { limits } from './limits.ts';

const call = { id: ToolCallId.parse('c1'), ref: { serverId: ServerId.parse('s'), tool: 'delete_row', revision: Revision.parse('r') }, serverName: 'prod-db' };

function setup() {
  const kept: { readonly bytes: Uint8Array; readonly mimeType: string }[] = [];
  const deps = {
    keep: async (bytes: Uint8Array, mimeType: string) => {
      kept.push({ bytes, mimeType });
      return { id: ContentId.parse(`c${kept.length}`), mimeType, bytes: bytes.length };
    },
    mask: (text: string) => text.replaceAll('hunter2', '•••'),
  };
  const model = async (raw: Parameters<typeof guardResult>[0], isError = false) => answerForModel({ kind: isError ? 'tool-error' : 'succeeded', result: await guardResult(raw, deps) }, call);
  return { kept, deps, model };
}
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('what a model is told of a result', () => {
  it('[H-41] is the text blocks together, raw JSON without text, and for an error the first text block', async () => {
    const { model } = setup();
    expect(await model({ content: [{ type: 'text', text: 'one' }, { type: 'text', text: 'two' }] })).toMatchObject({ text: 'one\ntwo', isError: false });
    expect(await model({ content: [{ type: 'strange', value: 7 }] })).toMatchObject({ text: '{"type":"strange","value":7}', isError: false });
    expect(await model({ content: [{ type: 'text', text: 'no such row' }, { type: 'text', text: 'trace' }] }, true)).toMatchObject({ text: 'no such row', isError: true });
  });

  it('is the structured content where there is no text, any JSON value included, and never twice', async () => {
    const { model } = setup();
    expect((await model({ content: [], structuredContent: { answer: 42 } })).text).toBe('{"answer":42}');
    expect((await model({ content: [{ type: 'text', text: '  ' }], structuredContent: [] })).text).toBe('[]');
    expect((await model({ content: [], structuredContent: false })).text).toBe('false');
    expect((await model({ content: [{ type: 'text', text: '{"answer":42}' }], structuredContent: { answer: 42 } })).text).toBe('{"answer":42}');
  });

  it('never holds base64', async () => {
    const { model, kept } = setup();
    const answer = await model({ content: [{ type: 'image', data: png, mimeType: 'image/png' }] });
    expect(answer.text).not.toContain(png.slice(0, 20));
    expect(answer.images).toMatchObject([{ mimeType: 'image/png' }]);
    expect(kept[0]?.bytes.slice(1, 4)).toEqual(new Uint8Array([0x50, 0x4e, 0x47]));
  });

  it('says honestly that an answer was lost', () => {
    expect(answerForModel({ kind: 'failed', code: 'tool/outcome-unknown', message: 'x' }, call).text).toContain('may or may not');
    expect(answerForModel({ kind: 'denied', by: 'user', reason: 'not on Fridays' }, call).text).toContain('not on Fridays');
  });
});

describe('the guard on results', () => {
  it('cuts long text, keeps the whole by reference and never cuts a character in half', async () => {
    const { deps, kept } = setup();
    const text = 'é'.repeat(limits.textBytes);
    const { parts } = await guardResult({ content: [{ type: 'text', text }] }, deps);
    const [part] = parts;
    expect(part).toMatchObject({ type: 'text', truncated: { ref: { bytes: text.length * 2 } } });
    expect(part?.type === 'text' && part.text).toMatch(/^é+$/);
    expect(new TextDecoder().decode(kept[0]?.bytes)).toBe(text);
  });

  it('cuts after the line limit', async () => {
    const { deps } = setup();
    const { parts } = await guardResult({ content: [{ type: 'text', text: 'x\n'.repeat(limits.textLines + 5) }] }, deps);
    expect(parts[0]?.type === 'text' && parts[0].text.split('\n').length).toBe(limits.textLines);
  });

  it('takes known secrets out of text, structured content and links', async () => {
    const { deps } = setup();
    const result = await guardResult({ content: [{ type: 'text', text: 'pw hunter2' }, { type: 'resource_link', uri: 'x://hunter2', name: 'n' }, { type: 'odd', v: 'hunter2' }], structuredContent: { p: 'hunter2' } }, deps);
    expect(JSON.stringify(result)).not.toContain('hunter2');
    const numbers = await guardResult({ structuredContent: { pin: 123456, hunter2: [null, true] } }, { ...deps, mask: (text) => deps.mask(text).replaceAll('123456', '•••') });
    expect(numbers.structured && 'json' in numbers.structured && JSON.parse(numbers.structured.json)).toEqual({ pin: '•••', '•••': [null, true] });
  });

  it('refuses a part that is too large before decoding it', async () => {
    const { deps, kept } = setup();
    await expect(guardResult({ content: [{ type: 'image', data: 'A'.repeat((limits.resultBytes * 4) / 3 + 8), mimeType: 'image/png' }] }, deps)).rejects.toMatchObject({ code: 'tool/result-too-large' });
    expect(kept).toEqual([]);
  });

  it('keeps what it cannot understand instead of dropping it', async () => {
    const { deps } = setup();
    const { parts } = await guardResult({ content: [null, 7, { type: 'image', data: '!!!', mimeType: 'image/png' }, { type: 'resource', resource: { uri: 'a:b', blob: 'Y2xhc3MgQXt9', mimeType: 'text/plain' } }] }, deps);
    expect(parts.map((part) => part.type)).toEqual(['unknown', 'unknown', 'unknown', 'resource-text']);
    expect(parts[3]).toMatchObject({ text: 'class A{}' });
  });
});
