import { describe, expect, it } from 'vitest';
import { ChatId, ServerId } from '../../shared/ids.ts';
import { decide, type PolicyFacts } from './decide.ts';
import { matchesAny } from './name-match.ts';

const serverId = ServerId.parse('global:prod-db');
const facts = (over: Partial<PolicyFacts> = {}): PolicyFacts => ({
  caller: { kind: 'chat', chatId: ChatId.parse('c1') },
  serverId,
  names: { serverName: 'prod-db', tool: 'delete_row', modelName: 'mcp_prod_db_delete_row' },
  preset: 'approval-required', approveTools: false, serverApproveTools: undefined, allowed: undefined, stale: undefined, paused: false, keptBy: undefined, inner: false,
  ...over,
});

describe('the policy', () => {
  it('asks by default and allows what a person allowed', () => {
    expect(decide(facts())).toMatchObject({ kind: 'ask' });
    for (const allowed of ['chat', 'tool', 'server'] as const) expect(decide(facts({ allowed }))).toEqual({ kind: 'allow' });
    expect(decide(facts({ preset: 'unrestricted' }))).toEqual({ kind: 'allow' });
  });

  it('denies everything when locked down, whatever was allowed, and Direct mode too', () => {
    expect(decide(facts({ preset: 'locked-down', allowed: 'tool' }))).toMatchObject({ kind: 'deny' });
    expect(decide(facts({ preset: 'locked-down', caller: { kind: 'direct', chatId: ChatId.parse('c1') } }))).toMatchObject({ kind: 'deny' });
  });

  it('takes the press of Run in Direct mode as the approval', () => {
    expect(decide(facts({ caller: { kind: 'direct', chatId: ChatId.parse('c1') }, approveTools: true }))).toEqual({ kind: 'allow' });
  });

  it('takes the press of Read beside a server and an address as the approval, unless locked down or paused', () => {
    const caller = { kind: 'person' } as const;
    expect(decide(facts({ caller, approveTools: true }))).toEqual({ kind: 'allow' });
    expect(decide(facts({ caller, preset: 'locked-down' }))).toMatchObject({ kind: 'deny' });
    expect(decide(facts({ caller, paused: true }))).toMatchObject({ kind: 'deny' });
    expect(decide(facts({ caller, inner: true }))).toMatchObject({ kind: 'ask' });
  });

  it('asks for what a call in Direct mode makes of its own accord', () => {
    expect(decide(facts({ caller: { kind: 'direct', chatId: ChatId.parse('c1') }, inner: true }))).toMatchObject({ kind: 'ask' });
  });

  it('denies what the person switched off for the chat, whatever was allowed, and in Direct mode too', () => {
    expect(decide(facts({ keptBy: 'run', allowed: 'tool', preset: 'unrestricted' }))).toMatchObject({ kind: 'deny' });
    expect(decide(facts({ keptBy: 'chat', caller: { kind: 'direct', chatId: ChatId.parse('c1') } }))).toMatchObject({ kind: 'deny' });
  });

  it('denies everything while paused', () => {
    expect(decide(facts({ paused: true, allowed: 'tool' }))).toMatchObject({ kind: 'deny' });
  });

  it('lets an app window reach only its own server', () => {
    expect(decide(facts({ caller: { kind: 'app-window', serverId: ServerId.parse('global:other') }, allowed: 'server' }))).toMatchObject({ kind: 'deny' });
    expect(decide(facts({ caller: { kind: 'app-window', serverId }, allowed: 'server' }))).toEqual({ kind: 'allow' });
  });

  it('asks again when what was allowed has changed', () => {
    expect(decide(facts({ stale: 'tool' }))).toMatchObject({ kind: 'ask', because: expect.stringContaining('tool changed') });
    expect(decide(facts({ stale: 'server', preset: 'unrestricted' }))).toMatchObject({ kind: 'ask' });
  });

  it('[F-110] asks for tools by true, by globs or not at all, the server’s own setting in place of the global one', () => {
    const open = { preset: 'unrestricted' } as const;
    expect(decide(facts({ ...open, approveTools: true }))).toMatchObject({ kind: 'ask', because: expect.stringContaining('settings') });
    expect(decide(facts({ ...open, approveTools: ['delete_*'] }))).toMatchObject({ kind: 'ask' });
    expect(decide(facts({ ...open, approveTools: ['Delete_*', 'delete'] }))).toEqual({ kind: 'allow' });
    expect(decide(facts({ ...open, approveTools: false }))).toEqual({ kind: 'allow' });
    expect(decide(facts({ ...open, approveTools: true, serverApproveTools: false }))).toEqual({ kind: 'allow' });
    expect(decide(facts({ ...open, approveTools: false, serverApproveTools: ['prod_db_delete-row'] }))).toMatchObject({ kind: 'ask', because: expect.stringContaining('prod-db') });
    // The server's `false` takes away its globs and nothing else.
    expect(decide(facts({ preset: 'approval-required', serverApproveTools: false }))).toMatchObject({ kind: 'ask' });
  });

  it('lets the most restrictive rule win: a rule that names the tool outweighs a permission for the whole server', () => {
    expect(decide(facts({ approveTools: ['delete_row'], allowed: 'server' }))).toMatchObject({ kind: 'ask' });
    expect(decide(facts({ approveTools: ['delete_row'], allowed: 'tool' }))).toEqual({ kind: 'allow' });
  });
});

describe('names in rules', () => {
  const tool = { serverName: 'github-mcp', tool: 'create-issue', modelName: 'mcp_github_mcp_create_issue' };
  it.each(['create-issue', 'create_issue', 'github_mcp_create_issue', 'github-mcp_create-issue', 'github_create_issue', 'mcp__github_mcp__create_issue', 'mcp_github_mcp_create_issue', 'create*', '*issue', 'c?eate_issue', '*'])('%s names the tool', (pattern) => {
    expect(matchesAny([pattern], tool)).toBe(true);
  });
  it.each(['create', 'Create_issue', 'issue', 'create_issue_', '?', '', 'gitlab_create_issue'])('%s does not', (pattern) => {
    expect(matchesAny([pattern], tool)).toBe(false);
  });
  it('ends with a hostile pattern, which a backtracking matcher would not', () => {
    expect(matchesAny([`${'*a'.repeat(90)}b`], { ...tool, tool: 'a'.repeat(1000) })).toBe(false);
  });
});
