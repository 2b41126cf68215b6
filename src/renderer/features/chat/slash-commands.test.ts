import { describe, expect, it } from 'vitest';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { completionsOf, isSlashCommand } from './slash-commands.ts';

const row = (name: string, enabled = true): ServerRow => ({ definition: { name, enabled } }) as never; // all that completion reads
const servers = [row('db'), row('My Notes'), row('off', false)];
const labels = (text: string) => completionsOf(text, servers).map(({ label }) => label);

describe('commands in the composer', () => {
  it('are what begins with /mcp, and nothing else is kept from the model', () => {
    for (const text of ['/', '/m', '/mcp', '/mcp ', '/mcp st', '/mcp disable db']) expect(isSlashCommand(text), text).toBe(true);
    for (const text of ['', 'mcp', '/mcpx', '/etc/hosts', 'see /mcp status', ' /mcp']) expect(isSlashCommand(text), text).toBe(false);
  });

  it('are completed by their names, and their arguments by the servers that they would change', () => {
    expect(labels('/')).toEqual(['/mcp', '/mcp setup', '/mcp tools', '/mcp status', '/mcp prompts', '/mcp reconnect', '/mcp disable', '/mcp enable']);
    expect(labels('/mcp s')).toEqual(['/mcp setup', '/mcp status']);
    expect(labels('/mcp disable ')).toEqual(['db', 'My Notes']);
    expect(labels('/mcp disable my')).toEqual(['My Notes']);
    expect(labels('/mcp enable ')).toEqual(['off']);
    expect(labels('/mcp disable nobody')).toEqual([]);
    expect(labels('/mcp nonsense')).toEqual([]);
  });

  it('wait for a server’s name where they need one', () => {
    const [disable] = completionsOf('/mcp dis', servers);
    expect(disable).toMatchObject({ text: '/mcp disable ', complete: false });
    expect(completionsOf('/mcp reconnect', servers)[0]).toMatchObject({ complete: true });
    expect(completionsOf('/mcp disable My N', servers)[0]).toMatchObject({ text: '/mcp disable My Notes', serverName: 'My Notes', complete: true });
  });
});
