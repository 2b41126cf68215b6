import { describe, expect, it } from 'vitest';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { completionsOf, isSlashCommand } from './slash-commands.ts';

const row = (name: string, enabled = true, more = {}): ServerRow => ({ definition: { name, enabled, transport: { type: 'stdio' }, options: {} }, ...more }) as never; // all that completion reads
const servers = [row('db'), row('My Notes'), row('off', false)];
const remote = { type: 'streamable-http', url: 'https://mcp.example/mcp', headers: {} };
const issues = row('Issues', true, { definition: { name: 'Issues', enabled: true, transport: remote, options: {} } });
const signedIn = row('Docs', true, { signIn: { way: 'browser', login: {} } });
const labels = (text: string) => completionsOf(text, servers).map(({ label }) => label);

describe('commands in the composer', () => {
  it('are what begins with /mcp, and nothing else is kept from the model', () => {
    for (const text of ['/', '/m', '/mcp', '/mcp ', '/mcp st', '/mcp disable db']) expect(isSlashCommand(text), text).toBe(true);
    for (const text of ['', 'mcp', '/mcpx', '/etc/hosts', 'see /mcp status', ' /mcp']) expect(isSlashCommand(text), text).toBe(false);
  });

  it('are completed by their names, and their arguments by the servers that they would change', () => {
    expect(labels('/')).toEqual(['/mcp', '/mcp setup', '/mcp tools', '/mcp status', '/mcp prompts', '/mcp reconnect', '/mcp disable', '/mcp enable', '/mcp auth', '/mcp logout']);
    expect(labels('/mcp s')).toEqual(['/mcp setup', '/mcp status']);
    expect(labels('/mcp disable ')).toEqual(['db', 'My Notes']);
    expect(labels('/mcp disable my')).toEqual(['My Notes']);
    expect(labels('/mcp enable ')).toEqual(['off']);
    expect(labels('/mcp disable nobody')).toEqual([]);
    expect(labels('/mcp nonsense')).toEqual([]);
  });

  it('offer a sign-in to servers over HTTP, and a sign-out where somebody is signed in', () => {
    const all = (text: string) => completionsOf(text, [...servers, issues, signedIn]).map(({ label }) => label);
    expect(all('/mcp auth ')).toEqual(['Docs', 'Issues']);
    expect(all('/mcp auth iss')).toEqual(['Issues']);
    expect(all('/mcp logout ')).toEqual(['Docs']);
    expect(completionsOf('/mcp auth', servers)[0]).toMatchObject({ text: '/mcp auth ', complete: true });
    expect(completionsOf('/mcp lo', servers)[0]).toMatchObject({ text: '/mcp logout ', complete: false });
  });

  it('wait for a server’s name where they need one', () => {
    const [disable] = completionsOf('/mcp dis', servers);
    expect(disable).toMatchObject({ text: '/mcp disable ', complete: false });
    expect(completionsOf('/mcp reconnect', servers)[0]).toMatchObject({ complete: true });
    expect(completionsOf('/mcp disable My N', servers)[0]).toMatchObject({ text: '/mcp disable My Notes', serverName: 'My Notes', complete: true });
  });
});
