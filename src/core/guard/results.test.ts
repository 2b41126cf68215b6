import { describe, expect, it } from 'vitest';
import { KeptContents } from '../../../test/support/kept-contents.ts';
import { Revision, ServerId, ToolCallId } from '../../shared/ids.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import type { ToolResult } from '../../shared/model/content.ts';
import { expectedParameters } from './expected-parameters.ts';
import { textSize } from './fit-text.ts';
import { limits } from './limits.ts';
import { answerForModel } from './model-text.ts';
import { defaultOutputCaps, outputCaps, type OutputCaps } from './output-caps.ts';
import { guardResult, type ResultRemarks } from './results.ts';

const call = { id: ToolCallId.parse('c1'), ref: { serverId: ServerId.parse('s'), tool: 'delete_row', revision: Revision.parse('r') }, serverName: 'prod-db' };
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const text = (said: string) => ({ type: 'text', text: said });

function setup(caps?: Partial<OutputCaps>) {
  const contents = new KeptContents();
  const deps = { keep: contents.keep, mask: (said: string) => said.replaceAll('hunter2', '•••'), caps: { ...defaultOutputCaps, ...caps } };
  const guard = (raw: JsonObject, remarks?: ResultRemarks) => guardResult(raw, deps, remarks);
  const told = (result: ToolResult, isError = false) => answerForModel({ kind: isError ? 'tool-error' : 'succeeded', result }, call);
  const model = async (raw: JsonObject, remarks?: ResultRemarks) => told(await guard(raw, remarks), raw['isError'] === true);
  return { contents, deps, guard, told, model };
}
const noticeOf = (said: string) => said.split('\n').at(-1) ?? '';

describe('what a model is told of a result', () => {
  it('[H-41] [F-128] is the text blocks together, raw JSON without text, and for an error its first text block and what the tool takes', async () => {
    const { model } = setup();
    expect(await model({ content: [text('one'), text('two')] })).toEqual({ text: 'one\ntwo', isError: false, images: [] });
    expect((await model({ content: [{ type: 'strange', value: 7 }] })).text).toMatch(/^\{"type":"strange","value":7\}\n\[The whole result is kept/);
    const expected = expectedParameters({ type: 'object', properties: { id: { type: 'string', description: 'The row.\nMore.' }, mode: { enum: ['a', 1] } }, required: ['id'] });
    expect(await model({ content: [text('no such row'), text('trace')], isError: true }, { expected })).toMatchObject({
      text: 'Error: no such row\nExpected parameters:\n- id (string, required): The row.\n- mode ("a" | 1)', isError: true,
    });
    expect(await model({ content: [], isError: true })).toMatchObject({ text: 'Error: [The tool returned nothing.]' });
    expect((await model({ content: [] })).text).toBe('[The tool returned nothing.]');
  });

  it('[F-126] holds structured content beside the text too, null, false and 0 included, and never the same twice', async () => {
    const { model } = setup();
    const first = async (raw: JsonObject) => (await model(raw)).text.split('\n').slice(0, -1).join('\n');
    for (const value of [null, false, 0, '', [], { answer: 42 }]) {
      expect(await first({ content: [], structuredContent: value })).toBe(value === '' ? '""' : JSON.stringify(value));
      expect(await first({ content: [text('in words')], structuredContent: value })).toBe(`in words\n${JSON.stringify(value)}`);
    }
    expect(await first({ content: [text('  ')], structuredContent: [] })).toBe('[]');
    expect(await first({ content: [text('{ "answer": 42 }')], structuredContent: { answer: 42 } })).toBe('{ "answer": 42 }');
    expect(await first({ content: [text('null')], structuredContent: null })).toBe('null');
  });

  it('never holds base64', async () => {
    const { model, contents } = setup();
    const answer = await model({ content: [{ type: 'image', data: png, mimeType: 'image/png' }] });
    expect(answer.text).not.toContain(png.slice(0, 20));
    expect(answer.images).toMatchObject([{ mimeType: 'image/png' }]);
    const [image] = answer.images;
    expect(image && Buffer.from(await contents.bytes(image)).toString('base64')).toBe(png);
  });

  it('says honestly that an answer was lost', () => {
    expect(answerForModel({ kind: 'failed', code: 'tool/outcome-unknown', message: 'x' }, call).text).toContain('may or may not');
    expect(answerForModel({ kind: 'denied', by: 'user', reason: 'not on Fridays' }, call).text).toContain('not on Fridays');
  });
});

describe('the caps on a result', () => {
  it('[F-116] [F-117] count all text blocks and the notice together, and the notice says how much there was and where it is', async () => {
    const { guard, told, contents } = setup();
    const raw = { content: [text(`${'a'.repeat(99)}\n`.repeat(400)), text('é'.repeat(9_000)), text('last')] };
    const result = await guard(raw);
    const said = told(result).text;
    const { bytes, lines } = textSize(said);
    expect(bytes).toBeLessThanOrEqual(limits.textBytes);
    expect(bytes).toBeGreaterThan(limits.textBytes - 4);
    expect(said.startsWith(`${'a'.repeat(99)}\n`.repeat(400))).toBe(true);
    expect(said).not.toContain('last');
    expect(lines).toBeLessThan(limits.textLines);
    expect(noticeOf(said)).toBe(`[Only the beginning is shown; the whole is 403 lines, ${((40_000 + 1 + 18_000 + 1 + 4) / 1024).toFixed(1)} KiB. It is kept: read it with mcp, action "read-result", ref "${result.reference?.id}"]`);
    expect(result.reference && (await contents.json(result.reference))).toEqual(raw);
    const cut = result.parts[1];
    expect(cut?.type === 'text' && cut.truncated?.ref && (await contents.text(cut.truncated.ref))).toBe('é'.repeat(9_000));
    const many = (await setup().model({ content: [text('x\n'.repeat(3_000))] })).text;
    expect(many.split('\n').length).toBe(limits.textLines);
    expect(noticeOf(many)).toContain('the whole is 3,001 lines, 5.9 KiB');
  });

  it('[F-117] never split a character, and say why the whole could not be saved: a full disk loses no call', async () => {
    const { guard, told, contents } = setup({ maxBytes: 400 });
    contents.broken = 'ENOSPC';
    for (const extra of ['', 'x', 'xy', 'xyz']) {
      const result = await guard({ content: [text(extra + '👩‍🚀é'.repeat(500)), { type: 'image', data: png, mimeType: 'image/png' }] });
      const said = told(result).text;
      expect(said).not.toMatch(/\p{Cs}/u);
      expect(said).not.toContain('\uFFFD');
      expect(textSize(said).bytes).toBeLessThanOrEqual(400);
      expect(noticeOf(said)).toMatch(/^\[Only the beginning is shown; the whole is 2 lines, \d+\.\d KiB\. It could not be saved: the disk is full\]$/);
      expect(result.parts[1]).toEqual({ type: 'unsaved', was: 'image', mimeType: 'image/png', why: 'the disk is full' });
    }
    expect(contents.files()).toBe(0);
  });

  it('[F-205] leave the notices in sight when nothing else fits', async () => {
    const { model } = setup({ maxBytes: 10, maxLines: 1 });
    const answer = await model({ content: [text('a long text that does not fit')], isError: true }, { expected: 'Expected parameters:\n- id (string)' });
    expect(answer.text).toMatch(/^Error: Expected parameters:\n- id \(string\)\n\[Only the beginning is shown; the whole is 1 line, 29 B\. It is kept: read it with mcp, action "read-result", ref "[^"]+"\]$/);
    const misfit = await model({ content: [text('a long text that does not fit')], structuredContent: 1 }, { schemaMismatch: '/: Expected string' });
    expect(misfit.text).toContain("does not fit the tool's own output schema: /: Expected string");
    expect(misfit.text).toContain('read-result');
  });

  it('[F-118] leave images as they are and do not count them; one without a type is a PNG', async () => {
    const { guard, told } = setup({ maxBytes: 300 });
    const result = await guard({ content: [{ type: 'image', data: png }, text('y'.repeat(1_000)), { type: 'image', data: png, mimeType: 'image/webp' }] });
    expect(told(result).images.map(({ mimeType, bytes }) => [mimeType, bytes])).toEqual([['image/png', 70], ['image/webp', 70]]);
    expect(told(result).text).toMatch(/^y{100,}\n\[Only/);
  });

  it('hold for structured content, and for parts that are only announced', async () => {
    const { guard, told, contents } = setup();
    const rows = Array.from({ length: 9_000 }, (_, id) => ({ id, name: 'é' }));
    const result = await guard({ content: [], structuredContent: { rows } });
    const said = told(result).text;
    expect(textSize(said).bytes).toBeLessThanOrEqual(limits.textBytes);
    expect(said.startsWith('{"rows":[{"id":0,"name":"é"}')).toBe(true);
    expect(result.structured && 'ref' in result.structured && result.structured.ref && (await contents.json(result.structured.ref))).toEqual({ rows });
    const links = await guard({ content: Array.from({ length: 1_200 }, (_, at) => ({ type: 'resource_link', uri: `doc://${'x'.repeat(200)}/${at}`, name: 'n' })) });
    expect(links.parts.length).toBe(limits.parts);
    expect(textSize(told(links).text).bytes).toBeLessThanOrEqual(limits.textBytes);
    expect(noticeOf(told(links).text)).toContain('read-result');
  });

  it('[F-123] are the settings’ own, unless the environment forces the guard on or off', async () => {
    expect(outputCaps(true, undefined)).toEqual({ maxBytes: 51_200, maxLines: 2_000, detailsMaxBytes: 16_384 });
    expect(outputCaps({ maxLines: 3 }, undefined)).toEqual({ maxBytes: 51_200, maxLines: 3, detailsMaxBytes: 16_384 });
    expect(outputCaps(false, true)).toEqual(outputCaps(true, undefined));
    expect(outputCaps({ maxBytes: 9 }, true)).toMatchObject({ maxBytes: 9 });
    for (const off of [outputCaps(false, undefined), outputCaps(true, false), outputCaps({ maxBytes: 9 }, false)]) {
      const long = 'z'.repeat(200_000);
      expect((await setup(off).model({ content: [text(long)] })).text).toBe(long);
    }
  });
});

describe('what is kept of a result', () => {
  it('[F-120] is the whole, masked, whenever it is more than short plain text; short plain text leaves no file', async () => {
    const { guard, told, contents } = setup();
    const plain = await guard({ content: [text('short')], _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's' } }, resultType: 'complete' });
    expect(plain).toEqual({ parts: [{ type: 'text', text: 'short' }] });
    expect(contents.files()).toBe(0);
    const more: readonly JsonObject[] = [
      { content: [text('a hunter2')], structuredContent: null },
      { content: [text('a')], _meta: { cost: 7 } },
      { content: [text('a')], extra: 'hunter2' },
      { content: [{ ...text('a'), annotations: { audience: ['user'] } }] },
      { content: [{ type: 'resource_link', uri: 'doc://1', name: 'n' }] },
      { content: 'not a list' },
    ];
    for (const raw of more) {
      const result = await guard(raw);
      expect(result.reference && (await contents.json(result.reference))).toEqual(JSON.parse(JSON.stringify(raw).replaceAll('hunter2', '•••')));
      expect(told(result).text).toContain(`ref "${result.reference?.id}"`);
    }
  });

  it('[F-119] is in the record as it came up to 16,384 bytes of JSON, and as a summary beyond', async () => {
    const { guard } = setup();
    const small = { content: [text('x')], _meta: { a: 1 } };
    const { details } = await guard(small);
    expect(details && 'json' in details && JSON.parse(details.json)).toEqual(small);
    const around = (bytes: number) => ({ content: [], _meta: { a: 'é'.repeat(bytes) } });
    const overhead = new TextEncoder().encode(JSON.stringify(around(0))).length;
    const half = (16_384 - overhead) / 2;
    expect((await guard(around(Math.floor(half)))).details).toHaveProperty('json');
    expect((await guard(around(Math.floor(half) + 1))).details).toHaveProperty('summary');
    const keys = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}-${'k'.repeat(200)}`, 'v'.repeat(900)]));
    const large = await guard({ content: [...Array.from({ length: 25 }, () => text('t')), { type: 'image', data: png, mimeType: 'image/png' }], structuredContent: keys, isError: true });
    const summary = large.details && 'summary' in large.details ? large.details.summary : undefined;
    expect(summary).toMatchObject({ omitted: true, reason: 'The result is larger than 16384 bytes of JSON', isError: true, blockCount: 26 });
    expect(summary?.blocks).toEqual(Array.from({ length: 20 }, () => ({ type: 'text', bytes: 26 })));
    expect(summary?.keys.map(({ key, bytes }) => [key.length, bytes])).toEqual(Array.from({ length: 20 }, () => [120, 902]));
    expect(summary?.bytes).toBe(large.reference?.bytes);
  });

  it('[F-121] is audio and binary data as files of their own, announced with type and reference', async () => {
    const { guard, told, contents } = setup();
    const result = await guard({ content: [{ type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' }, { type: 'resource', resource: { uri: 'repo:///a.bin', blob: 'AAEC_-8' } }] });
    const [audio, blob] = result.parts;
    if (audio?.type !== 'audio' || blob?.type !== 'blob') throw new Error('not kept');
    expect(await contents.text(audio.ref)).toBe('RIFF');
    expect([...(await contents.bytes(blob.ref))]).toEqual([0, 1, 2, 255, 239]);
    const said = told(result).text;
    expect(said).toContain(`[Audio, audio/wav, 4 B, kept for the person as ${audio.ref.id}]`);
    expect(said).toContain(`[repo:///a.bin: application/octet-stream, 5 B, kept for the person as ${blob.ref.id}]`);
  });

  it('has known secrets taken out of text, structured content, links, keys and numbers', async () => {
    const { guard, deps, contents } = setup();
    const result = await guard({ content: [text('pw hunter2'), { type: 'resource_link', uri: 'x://hunter2', name: 'hunter2' }, { type: 'odd', v: 'hunter2' }], structuredContent: { p: 'hunter2' } }, { schemaMismatch: 'hunter2 is no number' });
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(result.reference && (await contents.text(result.reference))).not.toContain('hunter2');
    const numbers = await guardResult({ structuredContent: { pin: 123456, hunter2: [null, true] } }, { ...deps, mask: (said) => deps.mask(said).replaceAll('123456', '•••') });
    expect(numbers.structured && 'json' in numbers.structured && JSON.parse(numbers.structured.json)).toEqual({ pin: '•••', '•••': [null, true] });
  });

  it('refuses a part that is too large before decoding it', async () => {
    const { guard, contents } = setup();
    await expect(guard({ content: [{ type: 'image', data: 'A'.repeat((limits.resultBytes * 4) / 3 + 8), mimeType: 'image/png' }] })).rejects.toMatchObject({ code: 'tool/result-too-large' });
    expect(contents.files()).toBe(0);
  });

  it('keeps what it cannot understand instead of dropping it, and what is nested without end', async () => {
    const { guard } = setup();
    const { parts } = await guard({ content: [null, 7, { type: 'image', data: '!!!', mimeType: 'image/png' }, { type: 'resource', resource: { uri: 'a:b', blob: 'Y2xhc3MgQXt9', mimeType: 'text/plain' } }] });
    expect(parts.map((part) => part.type)).toEqual(['unknown', 'unknown', 'unknown', 'resource-text']);
    expect(parts[3]).toMatchObject({ text: 'class A{}' });
    let deep: unknown = 'hunter2';
    for (let depth = 0; depth < 50_000; depth += 1) deep = [deep];
    expect((await guard({ content: [{ type: 'odd', deep }], structuredContent: deep })).parts).toHaveLength(1);
  });
});
