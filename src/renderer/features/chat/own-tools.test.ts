import { describe, expect, it } from 'vitest';
import type { ApprovalId, ToolCallId } from '../../../shared/ids.ts';
import type { Approval, ToolCallView } from '../../../shared/model/tool-call.ts';
import { partsOf } from './own-tools.ts';

const view = (id: string, tool: string, more: object = {}): ToolCallView =>
  ({ call: { id, ref: { serverId: tool.startsWith('mcp') ? 'gatehouse' : 's', tool }, serverName: 'S', args: {} }, inner: [], phase: 'running', ...more }) as unknown as ToolCallView; // what is read of it
const calls = (...views: readonly ToolCallView[]) => Object.fromEntries(views.map((one) => [one.call.id, one])) as Readonly<Record<ToolCallId, ToolCallView>>; // the ids are its keys
const ids = (...all: readonly string[]) => all as readonly ToolCallId[]; // brands only
const shape = (parts: ReturnType<typeof partsOf>) => parts.map(({ items, approval }) => approval?.id ?? items.map((item) => [item.view.call.id, ...item.inner.map(({ call }) => call.id)]));
const asking = { phase: 'waiting', approvalId: 'q' };
const question = [{ id: 'q' }] as unknown as readonly Approval[]; // what is read of it
const q = 'q' as ApprovalId; // a brand only

describe('the lines of a group of calls', () => {
  it('shows what the gateway called in its place, and the gateway itself when it called nothing', () => {
    const all = calls(view('g', 'mcp', { inner: ['a'] }), view('a', 'read'), view('h', 'mcp'), view('b', 'write'));
    expect(shape(partsOf(ids('g', 'h', 'b'), all, [], undefined))).toEqual([[['a'], ['h'], ['b']]]);
  });

  it('keeps a script with what it called inside it', () => {
    const all = calls(view('s', 'mcp_script', { inner: ['a', 'b'] }), view('a', 'read'), view('b', 'write'));
    expect(shape(partsOf(ids('s'), all, [], undefined))).toEqual([[['s', 'a', 'b']]]);
  });

  it('lets the card stand in the place of the call that asks, also of one that the gateway or a script made', () => {
    expect(shape(partsOf(ids('a', 'b'), calls(view('a', 'read', asking), view('b', 'write')), question, q))).toEqual(['q', [['b']]]);
    expect(shape(partsOf(ids('g'), calls(view('g', 'mcp', { inner: ['a'] }), view('a', 'read', asking)), question, q))).toEqual(['q']);
    const all = calls(view('s', 'mcp_script', { inner: ['a', 'b'] }), view('a', 'read'), view('b', 'write', asking), view('z', 'read'));
    expect(shape(partsOf(ids('s', 'z'), all, question, q))).toEqual([[['s', 'a']], 'q', [['z']]]);
    expect(partsOf(ids('s', 'z'), all, question, q)[0]?.items[0]?.asks).toBe(true);
  });
});
