import { describe, expect, it } from 'vitest';
import type { ServerId } from '../../../shared/ids.ts';
import type { ToolLine } from '../../../shared/model/catalog.ts';
import { everyTool } from '../../../shared/model/every-tool.ts';
import type { AppState } from '../../../shared/state/app-state.ts';
import { tally, tallyText, withServer, withTools } from './tool-choice.ts';

const a = 'home:a' as ServerId; // brands only
const b = 'home:b' as ServerId;
const line = (serverId: ServerId, tool: string, more: Partial<ToolLine> = {}): ToolLine => ({ serverId, serverName: serverId, tool, about: '', ...more });
const lines = [line(a, 'one'), line(a, 'two'), line(a, 'broken', { problem: 'no schema' }), line(b, 'one')];
const ofA = lines.filter(({ serverId }) => serverId === a);
const one = { serverId: a, tool: 'one' };
const two = { serverId: a, tool: 'two' };

describe('which tools a chat may use', () => {
  it('brings back with a server what was chosen among its tools, and all of them where that would be nothing', () => {
    const off = withServer({ serversOff: [], toolsOff: [one] }, a, false, ofA);
    expect(off).toEqual({ serversOff: [a], toolsOff: [one] });
    expect(withServer(off, a, true, ofA)).toEqual({ serversOff: [], toolsOff: [one] });
    expect(withServer({ serversOff: [a], toolsOff: [one, two, { serverId: b, tool: 'one' }] }, a, true, ofA)).toEqual({ serversOff: [], toolsOff: [{ serverId: b, tool: 'one' }] });
  });

  it('brings back a server with the one tool that is chosen of it', () => {
    expect(withTools({ serversOff: [a, b], toolsOff: [one] }, [one], true, lines)).toEqual({ serversOff: [b], toolsOff: [two, { serverId: a, tool: 'broken' }] });
  });

  it('takes tools away one by one, once each', () => {
    expect(withTools(withTools(everyTool, [one], false, lines), [one, two], false, lines)).toEqual({ serversOff: [], toolsOff: [one, two] });
    expect(withTools({ serversOff: [], toolsOff: [one, two] }, [two], true, lines)).toEqual({ serversOff: [], toolsOff: [one] });
  });

  it('is said in a few words', () => {
    const row = (id: ServerId, tools: number, problems = 0, enabled = true) => ({ definition: { id, enabled }, counts: { tools, resources: 0, prompts: 0, problems } });
    const servers = { [a]: row(a, 3, 1), [b]: row(b, 1_210), c: row('home:c' as ServerId, 50, 0, false) } as unknown as AppState['servers']; // what is read of it
    const say = (tools: typeof everyTool) => tallyText(tools, tally(servers, tools));
    expect(say(everyTool)).toBe('All tools');
    expect(say({ serversOff: [], toolsOff: [one] })).toBe('1,211 of 1,212 tools');
    expect(say({ serversOff: [b], toolsOff: [one] })).toBe('1 of 1,212 tools');
    expect(say({ serversOff: [a, b], toolsOff: [] })).toBe('No tools');
    expect(say({ serversOff: ['home:gone' as ServerId], toolsOff: [] })).toBe('Not all tools');
  });
});
