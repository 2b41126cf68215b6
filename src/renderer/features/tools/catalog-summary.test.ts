import { describe, expect, it } from 'vitest';
import { Revision, ServerId } from '../../../shared/ids.ts';
import type { ConnectionState } from '../../../shared/model/connection-state.ts';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { summarise, summaryText } from './catalog-summary.ts';

const row = (name: string, connection: ConnectionState, tools?: number): ServerRow => ({
  definition: {
    id: ServerId.parse(name),
    name,
    owner: 'global',
    enabled: connection.phase !== 'stopped' || connection.why !== 'disabled',
    transport: { type: 'socket', path: '/x' },
    options: {},
    revision: Revision.parse('r'),
  },
  connection,
  warnings: [],
  provenance: { state: 'effective', source: 'home', chain: [], fields: [] },
  ...(tools === undefined ? {} : { counts: { tools, resources: 0, prompts: 0, problems: 1 } }),
});
const asleep: ConnectionState = { phase: 'stopped', why: 'asleep' };
const failed: ConnectionState = { phase: 'failed', at: 0, failure: { code: 'server/exited', message: '' } };

describe('what is said of all tools together', () => {
  const rows = [
    row('seen', asleep, 7),
    row('broken-but-seen', failed, 5),
    row('unseen', asleep),
    row('broken', failed),
    row('starting', { phase: 'starting', since: 0, attempt: 1 }),
    row('off', { phase: 'stopped', why: 'disabled' }),
  ];
  const summary = summarise(Object.fromEntries(rows.map((one) => [one.definition.id, one])));

  it('counts the tools of all servers that were ever seen', () => {
    expect(summaryText(summary)).toBe('12 tools of 2 servers');
    expect(summaryText({ ...summary, tools: 0, seen: 0 })).toBe('No server has been looked at yet');
    expect(summaryText({ ...summary, tools: 0, seen: 0, unseen: [] })).toBe('');
    expect(summary.problems).toBe(2);
  });

  it('names who was never looked at and who does not answer, and misses nobody who is off', () => {
    expect(summary.unseen.map(({ definition }) => definition.name)).toEqual(['unseen']);
    expect(summary.missing.map(({ definition }) => definition.name)).toEqual(['broken']);
    expect(summary.starting).toBe(1);
  });

  it('does not call a server without its folder missing', () => {
    const files = row('files', { phase: 'needs', what: 'project', message: '' });
    expect(summarise({ [files.definition.id]: files }).missing).toEqual([]);
  });
});
