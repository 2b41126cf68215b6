import { describe, expect, it } from 'vitest';
import type { ServerId } from '../../shared/ids.ts';
import type { ConnectionState } from '../../shared/model/connection-state.ts';
import type { Elicitation, ElicitationAsk } from '../../shared/model/elicitation.ts';
import type { SecretQuestion } from '../../shared/model/secret-entry.ts';
import type { Approval } from '../../shared/model/tool-call.ts';
import { Settings } from '../../shared/model/settings.ts';
import { emptyAppState, type AppState, type ChatSummary, type ServerRow } from '../../shared/state/app-state.ts';
import { ApprovalNotices, approvalText, secretText, waitingNotices } from './approval-notices.ts';
import { menuLabel, noticeLabel, plainLabel } from './label.ts';
import { trayMenu, type TrayItem } from './tray-menu.ts';
import { trayState, trayWords } from './tray-state.ts';

const empty = emptyAppState(Settings.parse({}));
const stopped = { phase: 'stopped', why: 'asleep' } as const;
const ready = { phase: 'ready', since: 0, protocolVersion: '2025-06-18', era: 'legacy', server: { name: 'n', version: '1' } } as const;
const failed = { phase: 'failed', at: 0, failure: { code: 'server/exited', message: 'Exited' } } as const;

const row = (name: string, connection: ConnectionState, enabled = true): ServerRow =>
  ({ definition: { id: name as ServerId, name, owner: 'global', enabled, transport: { type: 'socket', path: '/x' }, revision: 'r' }, connection, warnings: [] }) as never; // branded ids
const withServers = (...rows: readonly ServerRow[]): AppState => ({ ...empty, servers: Object.fromEntries(rows.map((one) => [one.definition.id, one])) });
const approval = (id: string, serverName = 'GitHub', tool = 'create_issue', args = { token: 'hunter2' }): Approval =>
  ({ id, call: { id: `call-${id}`, ref: { serverId: 's', tool, revision: 'r' }, serverName, args, caller: { kind: 'cli' } }, toolDescription: '', because: '', askedAt: 0, target: '', annotations: {}, inputSchema: {} }) as never; // branded ids
const elicitation = (ask: ElicitationAsk = { kind: 'form', schema: {} }): Elicitation => ({ id: 'e1', serverId: 's', serverName: 'Travel', message: 'Your password?', askedAt: 0, ask }) as never; // branded ids
const problem = (severity: 'error' | 'warning') => ({ code: 'unparsable', severity, file: 'mcp.json', path: '', message: 'no' }) as const;
const chat = (activity: ChatSummary['activity']) => ({ ...empty, chats: [{ id: 'c', title: '', createdAt: 0, updatedAt: 0, activity }] }) as unknown as AppState; // branded ids

describe('the tray', () => {
  it('is idle when nothing asks for attention', () => {
    expect(trayState(empty)).toBe('idle');
    expect(trayState(withServers(row('a', ready), row('b', stopped)))).toBe('idle');
  });

  it('works while a chat runs or a server starts', () => {
    expect(trayState(chat('running'))).toBe('working');
    expect(trayState(withServers(row('a', { phase: 'starting', since: 0, attempt: 1 })))).toBe('working');
  });

  it('shows trouble when a server has failed or a file cannot be read, not when a server is switched off', () => {
    expect(trayState(withServers(row('a', failed)))).toBe('trouble');
    expect(trayState(withServers(row('a', failed, false)))).toBe('idle');
    expect(trayState({ ...empty, problems: [problem('error')] })).toBe('trouble');
    expect(trayState({ ...empty, problems: [problem('warning')] })).toBe('idle');
    expect(trayState({ ...empty, vault: { phase: 'unavailable', why: 'damaged', message: '' } })).toBe('trouble');
    expect(trayState({ ...empty, vault: { phase: 'unavailable', why: 'no-keyring', message: '' } })).toBe('idle');
  });

  it('needs the person before anything else', () => {
    const state = { ...withServers(row('a', failed), row('b', { phase: 'starting', since: 0, attempt: 1 })), approvals: [approval('1')] };
    expect(trayState(state)).toBe('needs-you');
    expect(trayWords(state)).toBe('1 approval waits for you');
    expect(trayState(withServers(row('a', failed), row('b', { phase: 'needs', what: 'sign-in', message: '' })))).toBe('needs-you');
    expect(trayState(withServers(row('Files', { phase: 'needs', what: 'project', message: '' })))).toBe('idle');
  });

  it('needs the person while a server waits for a secret, or a project for trust', () => {
    const waits = { ...empty, secretQuestions: [secretQuestion] };
    expect(trayState(waits)).toBe('needs-you');
    expect(trayWords(waits)).toBe('1 server waits for a secret');
    expect(trayMenu(waits, true)).toContainEqual({ kind: 'choice', label: 'Review mcp.github.env.TOKEN for GitHub…', choice: { do: 'approval', approvalId: 'q1' } });
    const asks: AppState = { ...empty, trust: { phase: 'ask', question: { project: '/p', digest: 'd', again: false, files: [], servers: [], runs: [] } } };
    expect(trayState(asks)).toBe('needs-you');
    expect(trayWords(asks)).toBe('a project waits for your trust');
    expect(trayState({ ...asks, trust: { ...asks.trust, phase: 'refused' } as AppState['trust'] })).toBe('idle');
  });

  it('needs the person while a server asks them something; a page that they opened asks nothing', () => {
    const asks = { ...empty, elicitations: [elicitation()] };
    expect(trayState(asks)).toBe('needs-you');
    expect(trayWords(asks)).toBe('a server asks you something');
    expect(trayMenu(asks, true)).toContainEqual({ kind: 'choice', label: 'Answer Travel…', choice: { do: 'approval', approvalId: 'e1' } });
    const opened = { ...empty, elicitations: [elicitation({ kind: 'url', url: 'https://shop.example/', host: 'shop.example', phase: 'opened', retry: true })] };
    expect(trayState(opened)).toBe('idle');
    expect(waitingNotices(opened)).toEqual([]);
    expect(waitingNotices(asks)).toEqual([{ id: 'e1', text: { title: 'Travel asks you something', body: 'Open Gatehouse to see what, and answer.' }, place: { page: 'approvals', id: 'e1' } }]);
  });

  it('needs the person while a sign-in waits for them, also of a server that is connected', () => {
    const wants = withServers({ ...row('a', ready), signIn: { way: 'browser', wanted: { because: 'call', at: 0, tool: 'read' } } });
    expect(trayState(wants)).toBe('needs-you');
    expect(trayWords(wants)).toBe('1 server waits for you to sign in');
    expect(labels(trayMenu(wants, true))).toContain('a: needs you to sign in');
    const byItself = withServers({ ...row('a', ready), signIn: { way: 'client-credentials', wanted: { because: 'call', at: 0 } } });
    expect(trayState(byItself)).toBe('idle');
  });

  const labels = (items: readonly TrayItem[]): readonly string[] => items.flatMap((item) => (item.kind === 'separator' ? [] : [item.label]));

  it('lists approvals, servers with their state, pause, show and quit', () => {
    const state = { ...withServers(row('Files', stopped), row('Bugs', failed), row('Archive', ready)), approvals: [approval('1')] };
    expect(labels(trayMenu(state, false))).toEqual([
      'Gatehouse: 1 approval waits for you', 'Review create_issue on GitHub…', 'Archive: connected', 'Bugs: not working', 'Files: asleep, starts when needed',
      'Pause all', 'Show Gatehouse', 'Quit Gatehouse',
    ]);
    expect(labels(trayMenu({ ...empty, paused: true }, true))).toEqual(['Gatehouse: paused', 'Resume', 'Hide Gatehouse', 'Quit Gatehouse']);
    expect(labels(trayMenu(undefined, true))).toEqual(['Hide Gatehouse', 'Quit Gatehouse']);
  });

  it.each<[ConnectionState, string]>([
    [stopped, 'start'], [{ phase: 'stopped', why: 'disabled' }, 'enable'], [ready, 'stop'], [failed, 'start'], [{ phase: 'starting', since: 0, attempt: 1 }, 'stop'],
  ])('offers the one thing to do with a server: %o → %s', (connection, what) => {
    const item = trayMenu(withServers(row('a', connection)), true).find((one) => one.kind === 'submenu');
    expect(item).toMatchObject({ items: [{ choice: { do: what, serverId: 'a' } }, { choice: { do: 'servers' } }] });
  });

  it('stays short with hundreds of servers and approvals', () => {
    const many = Array.from({ length: 300 }, (_, i) => i);
    const menu = trayMenu({ ...withServers(...many.map((i) => row(`s${i}`, ready))), approvals: many.map((i) => approval(String(i))) }, true);
    expect(menu.length).toBeLessThan(45);
    expect(labels(menu)).toContain('292 more…');
    expect(labels(menu)).toContain('275 more servers…');
  });
});

describe('a name from a server', () => {
  it('is one short plain line: nothing hides in it, turns it around or breaks out of it', () => {
    expect(plainLabel('delete\u202Egnp.exe\u200B\n\u0007 all\u{E0041}')).toBe('deletegnp.exe all');
    expect(plainLabel('x'.repeat(100))).toBe(`${'x'.repeat(59)}…`);
    expect(plainLabel('😀'.repeat(100), 4)).toBe('😀…');
    expect(menuLabel('R&D')).toBe('R&&D');
    expect(noticeLabel('<b>a</b> & <img src=x>')).toBe('‹b›a‹/b› ＆ ‹img src=x›');
  });
});

const asked = (...ids: readonly string[]) => waitingNotices({ approvals: ids.map((id) => approval(id)), secretQuestions: [], elicitations: [], servers: {} });
const secretQuestion = { id: 'q1', serverId: 's', server: 'GitHub', target: 'npx --token hunter2', key: 'mcp.github.env.TOKEN', scope: 'global' } as unknown as SecretQuestion; // branded ids

describe('a notification', () => {
  function setUp(inFront = false) {
    const shown: { title: string; body: string; click: () => void; closed: boolean }[] = [];
    const opened: string[] = [];
    const looking = { now: inFront };
    const notices = new ApprovalNotices({
      inFront: () => looking.now,
      show(text, click) {
        const notice = { ...text, click, closed: false };
        shown.push(notice);
        return { close: () => void (notice.closed = true) };
      },
      open: ({ page, id }) => void opened.push(`${page} ${id}`),
    });
    return { notices, shown, opened, looking };
  }

  it('names server and tool, never the arguments', () => {
    const text = approvalText(approval('1'));
    expect(text.title).toContain('GitHub');
    expect(text.body).toContain('create_issue');
    expect(JSON.stringify(text)).not.toContain('hunter2');
  });

  it('says what a model wants of Gatehouse itself, and not the address that it named; the tray offers to look at it', () => {
    const call = { id: 'c', ref: { serverId: 'gatehouse', tool: 'connect_mcp', revision: 'own' }, serverName: 'Gatehouse', args: { url: 'https://tools.example/?key=hunter2' }, caller: { kind: 'cli' } };
    const own = { ...approval('1'), call, toolTitle: 'Connect to a new server', target: 'https://tools.example/?key=hunter2', onceOnly: true } as never; // branded ids
    expect(approvalText(own)).toEqual({ title: 'Gatehouse waits for your approval', body: 'Connect to a new server? Open Gatehouse to see all of it and answer.' });
    expect(trayMenu({ ...empty, approvals: [own] }, true)).toContainEqual({ kind: 'choice', label: 'Review Connect to a new server…', choice: { do: 'approval', approvalId: '1' } });
  });

  it('names the server and the secret that it waits for, not what it would start', () => {
    expect(secretText(secretQuestion)).toEqual({
      title: 'GitHub waits for a secret', body: 'It wants to read mcp.github.env.TOKEN. Open Gatehouse to see for what and answer.',
    });
    const { notices, shown, opened } = setUp();
    notices.update(waitingNotices({ approvals: [], secretQuestions: [secretQuestion], elicitations: [], servers: {} }), true);
    shown[0]?.click();
    expect(opened).toEqual(['approvals q1']);
    notices.update([], true);
    expect(shown.map((notice) => notice.closed)).toEqual([true]);
  });

  it('comes when a call wants a sign-in, leads to its server, and goes when the sign-in begins', () => {
    const { notices, shown, opened } = setUp();
    const wants = { ...row('GitHub', ready), signIn: { way: 'browser', wanted: { because: 'scopes', at: 0, tool: 'delete_repo', scopes: ['repo:delete'] } } } as const;
    notices.update(waitingNotices(withServers(wants)), true);
    expect(shown).toMatchObject([{ title: 'GitHub wants you to sign in', body: 'delete_repo needs more permission. Open Gatehouse to see which.' }]);
    shown[0]?.click();
    expect(opened).toEqual(['servers GitHub']);
    notices.update(waitingNotices(withServers({ ...wants, signIn: { ...wants.signIn, flow: { flowId: 'f', step: 'browser', phase: 'waiting', startedAt: 0 } } })), true);
    expect(shown[0]?.closed).toBe(true);
    // A server that lets nobody in says so on its row, and may have done so for days.
    expect(waitingNotices(withServers({ ...wants, signIn: { way: 'browser', wanted: { because: 'connect', at: 0 } } }))).toEqual([]);
  });

  it('comes once for an approval that begins to wait while nobody looks, opens it, and goes when it is answered', () => {
    const { notices, shown, opened } = setUp();
    notices.update(asked('1'), true);
    notices.update(asked('1'), true);
    expect(shown).toHaveLength(1);
    shown[0]?.click();
    expect(opened).toEqual(['approvals 1']);
    notices.update([], true);
    expect(shown[0]?.closed).toBe(true);
  });

  it('does not come while the window is in front, nor later for what was seen there', () => {
    const { notices, shown, looking } = setUp(true);
    notices.update(asked('1'), true);
    looking.now = false;
    notices.update(asked('1'), true);
    expect(shown).toEqual([]);
    notices.update(asked('1', '2'), true);
    expect(shown).toHaveLength(1);
  });

  it('does not come when they are switched off, and goes when they are', () => {
    const { notices, shown } = setUp();
    notices.update(asked('1'), false);
    expect(shown).toEqual([]);
    notices.update(asked('1', '2'), true);
    notices.update(asked('1', '2'), false);
    expect(shown.map((notice) => notice.closed)).toEqual([true]);
  });
});
