import { describe, expect, it } from 'vitest';
import { ServerId } from '../../../shared/ids.ts';
import { mentioned } from './mentioned.ts';
import { promptIn, promptsFor, withArgument } from './prompt-commands.ts';

const serverId = ServerId.parse('a');
const plan = { command: '/mcp__board__create_plan', serverId, serverName: 'board', cached: false, prompt: { name: 'create_plan', title: 'Plan something', arguments: [{ name: 'goal', required: true }, { name: 'tone', required: false }] } };
const look = { ...plan, command: '/mcp__board__look', prompt: { name: 'look', arguments: [] } };
const all = [plan, look];

describe('prompts in the composer', () => {
  it('are found by their beginning, by letters of their names, and by their titles', () => {
    expect(promptsFor('/', all)).toEqual(all);
    expect(promptsFor('/mcp__board__l', all)).toEqual([look]);
    expect(promptsFor('/plan', all)).toEqual([plan]);
    expect(promptsFor('/etc/hosts', all)).toEqual([]);
    expect(promptsFor('/plan something', all)).toEqual([]);
    expect(promptIn('/mcp__board__create_plan  a b', all)).toEqual({ found: plan, typed: '  a b' });
    expect(promptIn('/mcp__board__create_pla a', all)).toBeUndefined();
  });

  it('take a suggested value in place of what is being typed', () => {
    const filled = (text: string, value: string) => {
      const typed = promptIn(text, all);
      return typed && withArgument(text, typed, value);
    };
    expect(filled('/mcp__board__create_plan pl', 'plums')).toBe('/mcp__board__create_plan plums ');
    expect(filled('/mcp__board__create_plan', 'two words')).toBe('/mcp__board__create_plan "two words" ');
    expect(filled('/mcp__board__create_plan plums tone=c', 'calm')).toBe('/mcp__board__create_plan plums tone=calm ');
    expect(filled('/mcp__board__create_plan plums ', 'calm')).toBe('/mcp__board__create_plan plums calm ');
  });
});

describe('an @ in a message', () => {
  it('begins a mention where it begins a word at the end', () => {
    expect(mentioned('@')).toEqual({ query: '', rest: '' });
    expect(mentioned('Look at @gui')).toEqual({ query: 'gui', rest: 'Look at ' });
    for (const text of ['me@example.com', 'Look at @gui now', '', '@a@b']) expect(mentioned(text), text).toBeUndefined();
  });
});
