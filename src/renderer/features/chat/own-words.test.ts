import { describe, expect, it } from 'vitest';
import type { ToolCallView } from '../../../shared/model/tool-call.ts';
import { ownSignIn, ownTrouble, ownWords } from './own-words.ts';

const said = (tool: string, args: object, serverId = 'gatehouse'): string | undefined => {
  const words = ownWords({ call: { ref: { serverId, tool }, args } } as unknown as ToolCallView); // what is read of it
  return words && `${words.title} ${words.about}`.trim();
};

describe('the line of one of Gatehouse’s own tools', () => {
  it('says what was asked for and of what', () => {
    expect(said('mcp_search', { query: 'read  a\nfile' })).toBe('Looked for tools read a file');
    expect(said('mcp_search', { query: 'read', server: 'Notes' })).toBe('Looked for tools read · Notes');
    expect(said('mcp_search', { query: 'select:mcp_notes_add' })).toBe('Asked for the tool mcp_notes_add');
    expect(said('find_tool', {})).toBe('Listed all tools');
    expect(said('mcp', { action: 'resources', server: 'Notes' })).toBe('Asked for resources of Notes');
    expect(said('mcp', { action: 'read-resource', server: 'Notes', uri: 'note://1' })).toBe('Read the resource note://1');
    expect(said('connect_mcp', { url: 'https://tools.example/mcp' })).toBe('Asked to connect https://tools.example/mcp');
    expect(said('list_mcp_resources', {})).toBe('Asked for resources of all servers');
  });

  it('keeps its name when a model asks for something else, and is no affair of a server', () => {
    expect(said('mcp', { action: 7 })).toBe('MCP gateway');
    expect(said('mcp', {})).toBe('MCP gateway');
    expect(said('mcp_search', {}, 'home:notes')).toBeUndefined();
  });

  it('says why it could not be done, and where a script stopped', () => {
    const settled = (tool: string, result: object) => ({ call: { ref: { serverId: 'gatehouse', tool }, args: {} }, phase: 'settled', outcome: { kind: 'tool-error', result } }) as unknown as ToolCallView; // what is read of it
    const text = (said: string) => ({ parts: [{ type: 'text', text: said }] });
    expect(ownTrouble(settled('mcp', text('“add” is switched off for this chat. (tool_not_found)\nmore')))).toBe('“add” is switched off for this chat.');
    expect(ownTrouble(settled('mcp_script', { ...text('Error'), script: { calls: [], timeoutMs: 1, error: { code: 'script_error', message: 'the basket is full', line: 2 } } }))).toBe('Stopped in line 2: the basket is full');
    expect(ownTrouble(settled('mcp_script', { ...text('Error'), script: { calls: [], timeoutMs: 1, error: { code: 'timeout', message: 'late' } } }))).toBe('It took too long');
  });

  it('names the server that wants a sign-in, where that is why', () => {
    const ended = (code: string, args: object) =>
      ({ call: { ref: { serverId: 'gatehouse', tool: 'mcp' }, args }, phase: 'settled', outcome: { kind: 'tool-error', result: { parts: [], structured: { json: JSON.stringify({ error: { code } }) } } } }) as unknown as ToolCallView; // what is read of it
    expect(ownSignIn(ended('auth_required', { action: 'connect', server: 'docs' }))).toBe('docs');
    expect(ownSignIn(ended('connect_failed', { action: 'connect', server: 'docs' }))).toBeUndefined();
    expect(ownSignIn(ended('auth_required', { action: 'call' }))).toBeUndefined();
  });
});
