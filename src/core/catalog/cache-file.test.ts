import { describe, expect, it } from 'vitest';
import { Revision } from '../../shared/ids.ts';
import { cacheLifeMs, mergeCache, readCache, validEntry, type CacheEntry } from './cache-file.ts';

const now = 1_800_000_000_000;
const tool = { name: 't', inputSchema: { type: 'object' }, 'x-extra': { kept: true } };
const entry = (over: Partial<CacheEntry> = {}): CacheEntry => ({
  configHash: 'h', cachedAt: now, tools: [tool], resources: [], resourceTemplates: [], prompts: [], warnings: [], revisions: { t: Revision.parse('a'.repeat(64)) }, ...over,
});
const none = { changed: new Map<string, CacheEntry>(), rehashed: new Map() };
const written = (entries: Readonly<Record<string, CacheEntry>>, text?: string, at = now) => mergeCache(text, { ...none, changed: new Map(Object.entries(entries)) }, at);
const read = (text: string | undefined, key: string, at = now) => validEntry(readCache(text).get(key), 'h', at);

describe('the file of remembered catalogs', () => {
  it('[F-76] is of format 2, holds the raw descriptors and reads them back as they were', () => {
    const full = entry({ resources: [{ uri: 'a:1', name: 'one' }], resourceTemplates: [{ uriTemplate: 'a:{x}', name: 'two' }], prompts: [{ name: 'p' }], instructions: 'Be kind', warnings: ['w'] });
    const text = written({ 'global:s': full });
    expect(JSON.parse(text)).toEqual({ version: 2, servers: { 'global:s': full } });
    expect(read(text, 'global:s')).toEqual(full);
  });

  it('[F-76] reads format 1 too, and ignores a version that it does not know', () => {
    const first = { configHash: 'h', cachedAt: now, tools: [{ name: 't', description: 'd', uiResourceUri: 'ui://x' }], resources: [{ uri: 'a:1', name: 'one' }] };
    expect(read(JSON.stringify({ version: 1, servers: { s: first } }), 's')).toMatchObject({ tools: [{ name: 't', description: 'd', _meta: { ui: { resourceUri: 'ui://x' } } }], resources: [{ uri: 'a:1' }], prompts: [], revisions: {} });
    for (const version of [0, 3, '2', undefined, null]) expect(readCache(JSON.stringify({ version, servers: { s: entry() } })).size).toBe(0);
  });

  it('[F-77] counts an entry for seven days, and only for the configuration that it was made with', () => {
    const text = written({ s: entry() });
    expect(read(text, 's', now + cacheLifeMs)).toBeDefined();
    expect(read(text, 's', now + cacheLifeMs + 1)).toBeUndefined();
    expect(read(written({ s: entry({ cachedAt: now + 86_400_000 }) }), 's')).toBeUndefined();
    expect(validEntry(readCache(text).get('s'), 'other', now)).toBeUndefined();
  });

  it('[F-78] keeps what stands of other servers, and drops what is too old', () => {
    const first = written({ a: entry(), b: entry({ instructions: 'old b' }), c: entry({ cachedAt: now - cacheLifeMs - 1 }) });
    const second = readCache(written({ b: entry({ instructions: 'new b' }) }, first));
    expect([...second.keys()]).toEqual(['a', 'b']);
    expect(second.get('b')).toMatchObject({ instructions: 'new b' });
  });

  it('moves an entry to other filters, and only from those that it was made with', () => {
    const text = written({ a: entry({ configHash: 'old' }), b: entry({ configHash: 'older' }) });
    const moved = readCache(mergeCache(text, { ...none, rehashed: new Map(['a', 'b'].map((key) => [key, { from: 'old', to: 'h' }])) }, now));
    expect(validEntry(moved.get('a'), 'h', now)).toBeDefined();
    expect(validEntry(moved.get('b'), 'h', now)).toBeUndefined();
  });

  it.each([
    ['no JSON', '{'], ['a list', '[]'], ['null', 'null'], ['servers that are a list', '{"version":2,"servers":[1]}'], ['nothing', undefined], ['one deep nest', '['.repeat(100_000)],
  ])('is empty when it is %s', (_what, text) => {
    expect(readCache(text).size).toBe(0);
    expect(readCache(mergeCache(text, { ...none, changed: new Map([['s', entry()]]) }, now)).size).toBe(1);
  });

  it('loses a bad entry and no other', () => {
    const good = JSON.stringify(entry());
    const bad: Readonly<Record<string, string>> = {
      text: '"x"', none: 'null', tools: '{"configHash":"h","cachedAt":1800000000000,"tools":{}}', time: '{"configHash":"h","cachedAt":"now","tools":[]}', words: '{"configHash":"h","cachedAt":1800000000000,"tools":[],"instructions":7}',
      revision: '{"configHash":"h","cachedAt":1800000000000,"tools":[],"revisions":{"t":"short"}}', many: `{"configHash":"h","cachedAt":1800000000000,"tools":[${'1,'.repeat(20_001)}1]}`,
      __proto__: '{"configHash":"h","cachedAt":1800000000000,"tools":[],"polluted":true}',
    };
    const servers = [...Object.entries(bad), ['good', good]].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',');
    const text = `{"version":2,"servers":{"__proto__":{"polluted":true},${servers}}}`;
    expect([...readCache(text).keys()].filter((key) => read(text, key) !== undefined)).toEqual(['good']);
    expect('polluted' in {}).toBe(false);
    expect(read(mergeCache(text, none, now), 'good')).toEqual(entry());
  });
});
