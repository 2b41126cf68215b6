import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chat, KeptContents } from '../../../test/support/kept-contents.ts';
import { ChatId } from '../../shared/ids.ts';
import { guardResult } from '../guard/results.ts';
import { rawResult } from './raw-result.ts';
import { readBack, type ReadBackRequest } from './read-back.ts';

const { signal } = new AbortController();
const mask = (text: string) => text;

async function kept(value: unknown) {
  const contents = new KeptContents();
  const ref = await contents.keep({ text: [JSON.stringify(value)] }, 'application/json');
  const read = (request: Omit<ReadBackRequest, 'ref'> = {}, caps?: { maxBytes: number; maxLines: number }) =>
    readBack({ ref: ref.id, ...request }, { contents: contents.store, keeper: chat, ...(caps ? { caps } : {}) }, signal);
  return { contents, ref, read, text: async (request?: Omit<ReadBackRequest, 'ref'>) => (await read(request)).text };
}
const readFailed = { code: 'result/read-failed' };

describe('reading a kept result back', () => {
  const rows = { 'a/b': 1, 'm~n': 2, '': 3, '~1': 4, rows: [{ id: 1, name: 'x', more: true }, { id: 2 }], text: 'plain', none: null, off: false };

  it('[F-124] follows JSON pointers, chooses fields, pages within all limits and never splits a character', async () => {
    const { text, read } = await kept(rows);
    expect(await text()).toBe(JSON.stringify(rows));
    expect([await text({ path: '/a~1b' }), await text({ path: '/m~0n' }), await text({ path: '/' }), await text({ path: '/~01' })]).toEqual(['1', '2', '3', '4']);
    expect([await text({ path: '/rows/1/id' }), await text({ path: '/text' }), await text({ path: '/none' }), await text({ path: '/off' })]).toEqual(['2', 'plain', 'null', 'false']);
    expect(await text({ path: '/rows', fields: ['id', 'name'] })).toBe('[{"id":1,"name":"x"},{"id":2}]');
    expect(await text({ path: '/rows/0', fields: ['more', 'unknown'] })).toBe('{"more":true}');
    for (const path of ['rows', '/rows/01', '/rows/-', '/rows/2', '/rows/+1', '/rows/1e0', '/nope', '/text/0', '/m~n', '/m~2n', '/toString', '/rows/length', '/__proto__', '/none/x'])
      await expect(read({ path })).rejects.toMatchObject(readFailed);
    await expect(read({ path: '/text', fields: ['id'] })).rejects.toMatchObject(readFailed);
    await expect(read({ path: '/rows', fields: [] }).then(({ text: all }) => all)).resolves.toBe('[{},{}]');
    for (const range of [{ offset: -1 }, { offset: 0.5 }, { limit: 0 }, { limit: Number.NaN }]) await expect(read(range)).rejects.toMatchObject(readFailed);

    const long = await kept('👩‍🚀é\n'.repeat(9_000));
    expect((await long.read()).text.length).toBeLessThanOrEqual(12_000);
    for (const [limit, caps] of [[7, undefined], [1, undefined], [12_000, { maxBytes: 11, maxLines: 99 }], [12_000, { maxBytes: 51_200, maxLines: 3 }], [12_000, { maxBytes: 1, maxLines: 1 }]] as const) {
      const pages: string[] = [];
      let offset: number | undefined = 0;
      while (offset !== undefined && pages.length < 60) {
        const page = await long.read({ offset, limit }, caps);
        if (caps && caps.maxBytes > 4) expect(new TextEncoder().encode(page.text).length).toBeLessThanOrEqual(caps.maxBytes);
        if (caps && caps.maxLines > 1) expect(page.text.split('\n').length).toBeLessThanOrEqual(caps.maxLines);
        expect(page.text).not.toMatch(/\p{Cs}/u);
        expect(page.nextOffset ?? Infinity).toBeGreaterThan(offset);
        pages.push(page.text);
        offset = page.nextOffset;
      }
      expect('👩‍🚀é\n'.repeat(9_000).startsWith(pages.join(''))).toBe(true);
    }
    expect(await long.read({ offset: 1, limit: 2 })).toMatchObject({ text: '👩', nextOffset: 2 });
    expect(await long.read({ offset: 63_000 })).toEqual({ text: '', length: 63_000 });
    expect(await long.read({ offset: 999_999 })).toEqual({ text: '', length: 63_000 });
    expect(await long.read({ offset: 62_999 })).toEqual({ text: '\n', length: 63_000 });
  });

  it('[F-125] reads what this chat keeps and nothing else, through links neither', async () => {
    const { contents, ref, read } = await kept(rows);
    const deps = { contents: contents.store, keeper: chat };
    await expect(readBack({ ref: ref.id }, { ...deps, keeper: ChatId.parse('chat-10') }, signal)).rejects.toMatchObject(readFailed);
    const folder = join(contents.folder, chat);
    for (const bad of ['', 'none', '../../etc/passwd', join(folder, ref.id), `${ref.id}~application%2Fjson`, '..', 'A'.repeat(500)])
      await expect(readBack({ ref: bad }, deps, signal)).rejects.toMatchObject(readFailed);
    const image = await contents.keep(new Uint8Array([1, 2]), 'image/png');
    await expect(readBack({ ref: image.id }, deps, signal)).rejects.toMatchObject(readFailed);
    const text = await contents.keep({ text: ['a kept text'] }, 'text/plain');
    expect((await readBack({ ref: text.id }, deps, signal)).text).toBe('a kept text');

    const outside = join(contents.folder, '..', 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret'), '"secret"');
    symlinkSync(join(outside, 'secret'), join(folder, 'planted~application%2Fjson'));
    await expect(readBack({ ref: 'planted' }, deps, signal)).rejects.toMatchObject(readFailed);
    rmSync(join(folder, `${ref.id}~application%2Fjson`));
    symlinkSync(join(outside, 'secret'), join(folder, `${ref.id}~application%2Fjson`));
    await expect(read()).rejects.toMatchObject(readFailed);
    renameSync(folder, join(contents.folder, '..', 'moved'));
    symlinkSync(join(contents.folder, '..', 'moved'), folder);
    await expect(readBack({ ref: text.id }, deps, signal)).rejects.toMatchObject(readFailed);
  });
});

describe('a result as a value', () => {
  it('is what the server sent, made again from its parts when it was short plain text, and nothing above 4 MiB or when it was lost', async () => {
    const contents = new KeptContents();
    const guard = (raw: Record<string, unknown>) => guardResult(raw, { keep: contents.keep, mask });
    const raws = [{ content: [{ type: 'text', text: 'hi' }] }, { content: [], structuredContent: { a: 1 } }, { content: [{ type: 'text', text: 'x'.repeat(100_000) }], _meta: { b: null } }];
    for (const raw of raws) expect(await rawResult(await guard(raw), { contents: contents.store }, signal)).toEqual(raw);
    const large = await guard({ content: [{ type: 'text', text: 'x'.repeat(4_194_304) }] });
    expect(await rawResult(large, { contents: contents.store }, signal)).toBeUndefined();
    contents.broken = 'ENOSPC';
    expect(await rawResult(await guard({ content: [{ type: 'text', text: 'x'.repeat(100_000) }] }), { contents: contents.store }, signal)).toBeUndefined();
  });
});
