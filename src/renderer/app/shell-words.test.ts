import { describe, expect, it } from 'vitest';
import type { ConnectionState } from '../../shared/model/connection-state.ts';
import type { Elicitation } from '../../shared/model/elicitation.ts';
import type { SecretQuestion } from '../../shared/model/secret-entry.ts';
import type { Approval } from '../../shared/model/tool-call.ts';
import { Settings } from '../../shared/model/settings.ts';
import { emptyAppState, type AppState, type ChatSummary, type ServerRow } from '../../shared/state/app-state.ts';
import { newsOf } from './announcer.tsx';
import { chatRows } from './chat-list.tsx';
import { folderName, fullStatus, shortText, statusOf } from './status-foot.tsx';

const chat = (id: string, more: Partial<ChatSummary> = {}): ChatSummary => ({ id, title: id, createdAt: 0, updatedAt: 0, activity: 'idle', ...more }) as ChatSummary; // ids are only compared
const approval = (id: string): Approval => ({ id, call: { serverName: 'Notes', ref: { tool: 'add_note' } }, toolTitle: 'Add a note' }) as unknown as Approval; // what is read of it

describe('what a screen reader is told', () => {
  const before = { approvals: [approval('a')], secretQuestions: [], elicitations: [], chats: [chat('c', { activity: 'running' })], servers: {} };
  it('tells of a new question once', () => {
    const now = { ...before, approvals: [approval('a'), approval('b')] };
    expect(newsOf(before, now)).toEqual(['Waiting for you: Add a note on Notes']);
    expect(newsOf(now, now)).toEqual([]);
  });
  it('tells of a question about one of Gatehouse’s own tools without naming a server', () => {
    const own = { id: 'o', call: { serverName: 'Gatehouse', ref: { serverId: 'gatehouse', tool: 'connect_mcp' } }, toolTitle: 'Connect to a new server' } as unknown as Approval; // what is read of it
    expect(newsOf(before, { ...before, approvals: [own] })).toEqual(['Waiting for you: Connect to a new server']);
  });
  it('tells of a server that waits for a secret', () => {
    const question = { id: 'q', server: 'GitHub', key: 'github.token' } as unknown as SecretQuestion; // what is read of it
    expect(newsOf(before, { ...before, secretQuestions: [question] })).toEqual(['Waiting for you: GitHub wants to read the secret github.token']);
  });
  it('tells of what a server asks, once', () => {
    const asked = { id: 'e', serverName: 'Travel', ask: { kind: 'form', schema: {} } } as unknown as Elicitation; // what is read of it
    const now = { ...before, elicitations: [asked] };
    expect(newsOf(before, now)).toEqual(['Waiting for you: Travel asks you something']);
    expect(newsOf(now, now)).toEqual([]);
  });
  it('tells of a server that begins to wait for a sign-in, once', () => {
    const row = { definition: { id: 's', name: 'GitHub', enabled: true }, connection: { phase: 'needs', what: 'sign-in', message: '' }, signIn: { way: 'browser' } } as unknown as ServerRow; // what is read of it
    const now = { ...before, servers: { s: row } as AppState['servers'] };
    expect(newsOf(before, now)).toEqual(['Waiting for you: sign in to GitHub']);
    expect(newsOf(now, now)).toEqual([]);
  });
  it('tells that an answer is finished, and nothing about a chat that was interrupted', () => {
    expect(newsOf(before, { ...before, chats: [chat('c')] })).toEqual(['Answer finished in c']);
    expect(newsOf(before, { ...before, chats: [chat('c', { activity: 'interrupted' })] })).toEqual([]);
  });
});

describe('the list of chats', () => {
  it('stands under the headings of their age', () => {
    const now = new Date(2026, 5, 20, 12).getTime();
    const day = 86_400_000;
    const rows = chatRows([chat('a', { updatedAt: now }), chat('b', { updatedAt: now - 3_600_000 }), chat('c', { updatedAt: now - day }), chat('d', { updatedAt: now - 5 * day })], now);
    expect(rows.map((row) => (row.kind === 'heading' ? row.text : row.chat.id))).toEqual(['Today', 'a', 'b', 'Yesterday', 'c', 'Last week', 'd']);
  });
});

describe('the status line', () => {
  const base = emptyAppState(Settings.parse({}));
  const ready: ConnectionState = { phase: 'ready', since: 0, protocolVersion: '', era: 'modern', server: { name: '', version: '' } };
  const failed: ConnectionState = { phase: 'failed', at: 0, failure: { code: 'server/exited', message: '' } };
  const state = (...connections: readonly ConnectionState[]): AppState => ({ ...base, servers: Object.fromEntries(connections.map((connection, index) => [`s${index}`, { connection } as ServerRow])) });

  it('counts what is connected and shows the worst state', () => {
    expect(statusOf(state(ready, failed, { phase: 'stopped', why: 'asleep' }))).toEqual({ dot: 'trouble', text: '1 of 3 connected' });
    expect(statusOf(state(ready))).toEqual({ dot: 'working', text: '1 of 1 connected' });
    const coming: readonly ConnectionState[] = [{ phase: 'starting', since: 0, attempt: 1 }, { phase: 'stopped', why: 'asleep', queued: true }];
    expect(statusOf(state(ready, ready, ...coming, { phase: 'stopped', why: 'asleep' })), 'asleep is not on its way').toEqual({ dot: 'busy', text: '2 of 5 connected', done: 0.5 });
  });
  it('does not count what is off on purpose', () => {
    expect(statusOf(state(ready, { phase: 'stopped', why: 'disabled' }))).toMatchObject({ text: '1 of 1 connected' });
    expect(statusOf(state({ phase: 'stopped', why: 'by-person' }))).toMatchObject({ text: 'No servers' });
  });
  it('gives all numbers where the person wants them', () => {
    const row = (connection: ConnectionState, enabled: boolean): ServerRow => ({ connection, definition: { enabled } }) as ServerRow; // what is read of it
    const servers = { a: row(ready, true), b: row(failed, true), c: row({ phase: 'stopped', why: 'disabled' }, false) };
    expect(fullStatus({ ...base, servers })).toBe('1 connected, 2 enabled, 1 off');
    expect(fullStatus(base)).toBe('No servers');
    expect([shortText('1 of 3 connected'), shortText('2 servers asleep'), shortText('No servers')]).toEqual(['1/3', '2', '–']);
  });
  it('says that everything is paused', () => {
    expect(statusOf({ ...state(ready), paused: true }).text).toBe('Paused');
  });
  it.each([['/home/a/atlas', 'atlas'], ['C:\\work\\atlas\\', 'atlas'], ['/', '/']])('calls the folder %s %s', (path, name) => {
    expect(folderName(path)).toBe(name);
  });
});
