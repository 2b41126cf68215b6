import { homedir } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/model/catalog.ts';
import { createHost } from './host.ts';

const said: JsonObject[] = [];
afterEach(() => void said.splice(0));
const never = new AbortController().signal;
const host = (env: Readonly<Record<string, string>>, platform: NodeJS.Platform = 'linux', person: Readonly<Record<string, string>> = {}) =>
  createHost({ env, platform, gatehouseHome: '/g', personEnvironment: async () => person, log: { warn: (message, data) => void said.push({ message, ...data }) } });

describe('the person’s folders', () => {
  it('on Linux', () => {
    expect(host({ HOME: '/home/ann' })).toMatchObject({ platform: 'linux', homeFolder: '/home/ann', configFolder: '/home/ann/.config', appDataFolder: '/home/ann/.config', gatehouseHome: '/g' });
    expect(host({ HOME: '/home/ann', XDG_CONFIG_HOME: '/cfg' })).toMatchObject({ configFolder: '/cfg', appDataFolder: '/cfg' });
    expect(host({ HOME: '/home/ann', XDG_CONFIG_HOME: 'relative' })).toMatchObject({ configFolder: '/home/ann/.config' });
    expect(host({}).homeFolder).toBe(homedir());
  });

  it('on macOS', () => {
    expect(host({ HOME: '/Users/ann' }, 'darwin')).toMatchObject({ platform: 'darwin', configFolder: '/Users/ann/.config', appDataFolder: '/Users/ann/Library/Application Support' });
  });

  it('on Windows', () => {
    expect(host({ UserProfile: 'C:\\Users\\ann' }, 'win32')).toMatchObject({ homeFolder: 'C:\\Users\\ann', configFolder: 'C:\\Users\\ann\\.config', appDataFolder: 'C:\\Users\\ann\\AppData\\Roaming' });
    expect(host({ USERPROFILE: 'C:\\Users\\ann', AppData: 'D:\\Roam' }, 'win32')).toMatchObject({ appDataFolder: 'D:\\Roam' });
  });
});

it('servers of the environment come from GATEHOUSE_MCP_SERVERS, and from its older name while that is unset', () => {
  expect(host({}).environmentServers).toBeUndefined();
  expect(host({ HARNESS_MCP_SERVERS: '[1]' }).environmentServers).toEqual({ variable: 'HARNESS_MCP_SERVERS', text: '[1]' });
  expect(host({ HARNESS_MCP_SERVERS: '[1]', GATEHOUSE_MCP_SERVERS: '' }).environmentServers).toEqual({ variable: 'GATEHOUSE_MCP_SERVERS', text: '' });
});

it('variables mean what a server would get: the login shell’s, without the app’s own', async () => {
  const machine = host({ HOME: '/h', IGNORED: 'x' }, 'linux', { TOKEN: 't', GATEHOUSE_HOME: '/g', NODE_OPTIONS: '--x', LD_PRELOAD: '/evil.so' });
  expect(await machine.environment(never)).toEqual({ TOKEN: 't' });
  await expect(machine.environment(AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
});

it('an environment file is read as dotenv', () => {
  expect(host({}).readEnvFile('# mine\nA=1\nB="two words"\nC=\'$x\'\n\nD=a=b\nE=\n')).toEqual({ A: '1', B: 'two words', C: '$x', D: 'a=b', E: '' });
});

it('MCP_OUTPUT_GUARD is a switch in any of its words, and nothing in others', () => {
  for (const on of ['1', 'true', 'YES', ' on ']) expect(host({ MCP_OUTPUT_GUARD: on }).outputGuard).toBe(true);
  for (const off of ['0', 'False', 'no', 'off']) expect(host({ MCP_OUTPUT_GUARD: off }).outputGuard).toBe(false);
  for (const neither of [undefined, '', '2', 'maybe']) expect(host(neither === undefined ? {} : { MCP_OUTPUT_GUARD: neither }).outputGuard).toBeUndefined();
});

describe('[H-13] what the environment says of runs', () => {
  it('comes from a variable of its own for each, and from the older name while that is unset', () => {
    expect(host({}).environmentRun).toEqual({});
    expect(host({ GATEHOUSE_MODEL: ' m4 ', GATEHOUSE_MAX_STEPS: '7', GATEHOUSE_MAX_COST_USD: '0.25', GATEHOUSE_REASONING_EFFORT: 'High', GATEHOUSE_SYSTEM_PROMPT: ' Be brief.\n' }).environmentRun).toEqual({
      runner: { model: 'm4', max_steps: 7, max_cost_usd: 0.25, reasoning_effort: 'high', system_prompt: ' Be brief.\n' },
    });
    expect(host({ HARNESS_MODEL: 'old', HARNESS_MAX_STEPS: '3' }).environmentRun).toEqual({ runner: { model: 'old', max_steps: 3 } });
    expect(host({ HARNESS_MODEL: 'old', GATEHOUSE_MODEL: 'new', HARNESS_MAX_STEPS: '3', GATEHOUSE_MAX_STEPS: '' }).environmentRun).toEqual({ runner: { model: 'new' } });
    expect(said).toEqual([]);
  });

  it('is left out and said in the log, without the value, where it cannot be understood', () => {
    for (const wrong of ['0', '-1', '1.5', '0x10', '1e3', 'many', '100000']) expect(host({ GATEHOUSE_MAX_STEPS: wrong, GATEHOUSE_MODEL: 'm' }).environmentRun, wrong).toEqual({ runner: { model: 'm' } });
    for (const wrong of ['-1', 'free', '$2', 'NaN', 'Infinity']) expect(host({ HARNESS_MAX_COST_USD: wrong }).environmentRun, wrong).toEqual({});
    expect(host({ GATEHOUSE_REASONING_EFFORT: 'canary' }).environmentRun).toEqual({});
    expect(said.map(({ variable }) => variable)).toEqual([...Array.from({ length: 7 }, () => 'GATEHOUSE_MAX_STEPS'), ...Array.from({ length: 5 }, () => 'HARNESS_MAX_COST_USD'), 'GATEHOUSE_REASONING_EFFORT']);
    expect(JSON.stringify(said)).not.toContain('canary');
  });
});
