import { describe, expect, it } from 'vitest';
import { Revision, ServerId } from '../../../shared/ids.ts';
import type { ScopeEntry, ScopeView } from '../../../shared/ipc/contract/config.ts';
import { changeCount, editsOf, emptyDraft, rowsOf, savedDraft, withChange, withScopeSwitch, withSwitched, type EntryChange } from './scope-draft.ts';

const entry = (name: string, more: Partial<ScopeEntry> = {}, enabled = true): ScopeEntry => ({
  name, state: 'effective', here: true, editable: true, seen: `${name}-mark`, issues: [],
  definition: {
    id: ServerId.parse(name), name, owner: 'global', enabled, options: {}, revision: Revision.parse('r'),
    transport: { type: 'stdio', command: 'npx', args: ['-y', name], env: {} },
  },
  ...more,
});
const view = (...entries: readonly ScopeEntry[]): ScopeView => ({ scope: 'global', file: '/home/mcp.json', exists: true, on: true, entries, issues: [] });
const put = (name: string, seen = 'absent'): EntryChange => ({
  kind: 'put', what: 'new', typed: undefined, seen, draft: { name, transport: { type: 'socket', path: '/run/x' } },
});

describe('the draft of a scope', () => {
  it('is nothing as long as everything is as it was', () => {
    const docs = entry('docs');
    const off = withSwitched(emptyDraft, 'docs', docs, false);
    expect(editsOf(off)).toEqual([{ op: 'patch', name: 'docs', fields: { enabled: false }, seen: 'docs-mark' }]);
    expect(editsOf(withSwitched(off, 'docs', docs, true))).toEqual([]);
    const all = withScopeSwitch(emptyDraft, view(), false);
    expect(editsOf(all)).toEqual([{ op: 'switch', enabled: false }]);
    expect(changeCount(withScopeSwitch(all, view(), true))).toBe(0);
  });

  it('sends one edit for each server, with the mark of what was looked at', () => {
    const renamed = { ...put('new-name', 'docs-mark'), what: 'edit' as const, previousName: 'docs' };
    const draft = withChange(withChange(withChange(emptyDraft, 'docs', renamed), 'old', { kind: 'remove', seen: 'old-mark' }), 'fresh', put('fresh'));
    expect(editsOf(draft)).toEqual([
      { op: 'put', draft: renamed.kind === 'put' ? renamed.draft : undefined, previousName: 'docs', seen: 'docs-mark' },
      { op: 'remove', name: 'old', seen: 'old-mark' },
      { op: 'put', draft: { name: 'fresh', transport: { type: 'socket', path: '/run/x' } }, seen: 'absent' },
    ]);
    expect(changeCount(draft)).toBe(3);
  });

  it('switches a server that is changed anyway within that change', () => {
    const draft = withSwitched(withChange(emptyDraft, 'fresh', put('fresh')), 'fresh', undefined, false);
    expect(editsOf(draft)).toMatchObject([{ op: 'put', draft: { name: 'fresh', enabled: false } }]);
  });

  it('shows every server as it would be, new ones too, and those with a mistake first', () => {
    const draft = withChange(withSwitched(emptyDraft, 'docs', entry('docs'), false), 'added', put('added'));
    const { definition: _none, ...broken } = entry('zebra', { state: 'invalid' });
    const rows = rowsOf(view(entry('docs'), broken), draft);
    expect(rows.map(({ name, enabled, target }) => [name, enabled, target])).toEqual([
      ['zebra', false, ''], ['added', true, '/run/x'], ['docs', false, 'npx -y docs'],
    ]);
  });

  it('takes a server for on when only its whole scope is off', () => {
    const provenance = { state: 'masked' as const, source: 'home', chain: [], disabledBy: 'home', fields: [] };
    const quiet = entry('docs', { provenance }, false);
    expect(rowsOf(view(quiet), emptyDraft)[0]?.enabled).toBe(true);
    expect(editsOf(withSwitched(emptyDraft, 'docs', quiet, true))).toEqual([]);
    const off = entry('docs', { provenance: { ...provenance, fields: [{ field: 'enabled', source: 'home', overrode: [] }] } }, false);
    expect(rowsOf(view(off), emptyDraft)[0]?.enabled).toBe(false);
  });

  it('tests a saved server with what its file keeps to itself', () => {
    const { definition } = entry('docs');
    if (!definition) throw new Error('it has one');
    const transport = { type: 'stdio' as const, command: 'npx', args: ['--token=•••'], env: { KEY: { literal: true as const }, MODE: { plain: 'x' } } };
    expect(savedDraft({ ...definition, transport })).toEqual({ name: 'docs', transport: { type: 'stdio', command: 'npx', env: { KEY: { kept: true }, MODE: { plain: 'x' } } } });
  });

  it('tells when the file says something else than what the change was made from', () => {
    const draft = withSwitched(emptyDraft, 'docs', entry('docs'), false);
    expect(rowsOf(view(entry('docs')), draft)[0]?.movedOn).toBe(false);
    expect(rowsOf(view(entry('docs', { seen: 'other' })), draft)[0]?.movedOn).toBe(true);
    expect(rowsOf(view(), draft)[0]?.movedOn).toBe(true);
    expect(rowsOf(view(), withChange(emptyDraft, 'fresh', put('fresh')))[0]?.movedOn).toBe(false);
  });
});
