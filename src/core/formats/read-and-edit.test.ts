import { describe, expect, it } from 'vitest';
import { editSource, type FileEdit } from './edit-source.ts';
import { spellings } from './field-names.ts';
import { readSource } from './read-source.ts';

const read = (text: string) => readSource(text, { file: 'mcp.json', shape: 'gatehouse' });
const fieldsOf = (text: string, name: string) => read(text).entries.find((entry) => entry.name === name)?.fields;
const put = (name: string, fields: Readonly<Record<string, unknown>>): FileEdit => ({ op: 'put', name, fields });

describe('what was edited is what is read', () => {
  const servers = '{"a":{"command":"old"},"b":{"url":"https://b/mcp"}}';
  it.each([
    ['', undefined], ['mcpServers', `{"mcpServers":${servers}}`], ['mcp-servers', `{"mcp-servers":${servers}}`], ['servers', `{"servers":${servers}}`], ['a bare map', servers],
    ['a list', '{"mcpServers":{"enabled":true,"servers":[{"name":"a","command":"old"},{"name":"b","url":"https://b/mcp"}]}}'],
    ['a list at the top', '{"enabled":true,"servers":[{"name":"a","transport":"stdio","command":"old"}]}'],
    ['two keys for servers', '{"servers":{"a":{"command":"hidden"}},"mcpServers":{"a":{"command":"old"}}}'],
    ['a server called servers', '{"servers":{"command":"x"},"a":{"command":"old"}}'],
    ['a key twice', '{"mcpServers":{"a":{"command":"first"},"a":{"command":"old","command":"older"}}}'],
    ['a name twice but for blanks', '{"mcpServers":{"a":{"command":"old"}," a ":{"command":"second"}}}'],
    ['the key for servers twice', '{"mcpServers":{"a":{"command":"first"}},"mcpServers":{"a":{"command":"old"}}}'],
    ['a list with a name twice', '{"mcpServers":{"servers":[{"name":"a","command":"old"},{"name":"a","command":"second"}]}}'],
    ['a switch inside', '{"mcpServers":{"enabled":true,"a":{"command":"old"}}}'],
  ])('in a file with %s', (_, text) => {
    const edited = editSource(text, [put('a', { command: 'new', args: ['1'], env: { A: { plain: '1' } } }), put('c', { url: 'https://c/mcp', type: 'sse' })]);
    expect(fieldsOf(edited, 'a')).toEqual({ ...(text?.includes('"transport"') === true ? { type: 'stdio' } : {}), command: 'new', args: ['1'], env: { A: { plain: '1' } } });
    expect(fieldsOf(edited, 'c')).toEqual({ url: 'https://c/mcp', type: 'sse' });
    for (const enabled of [false, true]) expect(read(editSource(edited, [{ op: 'switch', enabled }])).enabled).toBe(enabled);
    expect(read(editSource(edited, [{ op: 'switch', enabled: null }])).enabled).toBeUndefined();
    expect(fieldsOf(editSource(edited, [{ op: 'patch', name: 'a', fields: { enabled: null, disabled: true } }]), 'a')?.enabled).toBe(false);
    expect(fieldsOf(editSource(edited, [{ op: 'remove', name: 'a' }]), 'a')).toBeUndefined();
    const renamed = editSource(edited, [{ op: 'put', name: 'd', fields: {}, previousName: 'a' }]);
    expect([fieldsOf(renamed, 'a'), fieldsOf(renamed, 'd')?.command]).toEqual([undefined, 'new']);
  });

  const values: Readonly<Record<string, readonly [unknown, unknown]>> = {
    type: ['sse', 'streamable-http'], url: ['https://old/mcp', 'https://new/mcp'], env: [{ A: { plain: '1' } }, { B: { plain: '2' } }], headers: [{ A: { plain: '1' } }, { B: { plain: '2' } }],
    bearerToken: ['${OLD}', '${NEW}'], bearerTokenEnv: ['OLD', 'NEW'], includeTools: [['old'], ['new']], excludeTools: [['old'], ['new']],
  };
  it.each([...spellings].flatMap(([field, names]) => names.map((name) => [field, name] as const)))('for %s spelled %s', (field, name) => {
    const [old, next] = values[field] ?? [];
    const way = field === 'env' ? { command: 'x' } : field === 'url' ? {} : { url: 'https://x/mcp' };
    const text = JSON.stringify({ mcpServers: { a: { ...way, [name]: old } } });
    expect(fieldsOf(text, 'a')).toMatchObject({ [field]: old });
    const edited = editSource(text, [{ op: 'patch', name: 'a', fields: { [field]: next } }]);
    expect(fieldsOf(edited, 'a')).toMatchObject({ [field]: next });
    expect(edited).not.toContain('ld');
    if (field !== 'url') expect(fieldsOf(editSource(text, [{ op: 'patch', name: 'a', fields: { [field]: null } }]), 'a')).not.toHaveProperty(field);
  });
});
