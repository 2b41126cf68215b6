import { describe, expect, it } from 'vitest';
import { readRunLayer } from './read-run-layer.ts';

const read = (text: string) => readRunLayer(text, 'config.toml');
const faults = (text: string) => read(text).issues.map(({ severity, path, line, column }) => `${severity} ${path} ${String(line)}:${String(column)}`);

describe('what a config.toml says of runs', () => {
  it('stands in [runner], [tools] and mcp', () => {
    expect(read('mcp = false\n[runner]\nmodel = "m1"\nmax_steps = 4\nmax_cost_usd = 0.5\nsystem_prompt = """\nBe brief."""\nreasoning_effort = "high"\n[tools]\nallow = ["read_*"]\n')).toEqual({
      run: { runner: { model: 'm1', max_steps: 4, max_cost_usd: 0.5, system_prompt: 'Be brief.', reasoning_effort: 'high' }, tools: { allow: ['read_*'] }, mcp: false },
      issues: [],
    });
    expect(read('runner.model = "m"\n').run).toEqual({ runner: { model: 'm' } });
    for (const nothing of ['', '# later\n', '[runner]\n', '[tools]\n', '[mcp_servers.a]\ncommand = "x"\n', '[mcp]\nenabled = false\n']) expect(read(nothing), nothing).toEqual({ run: {}, issues: [] });
  });

  it('counts but for what is wrong, which is named with its place and without its value', () => {
    const text = '[runner]\nmodel = 5\nmax_steps = 0\nmax_cost_usd = -1\nsystem_prompt = ["canary"]\nreasoning_effort = "canary"\n  colour = "canary"\n';
    expect(faults(text)).toEqual([
      'error runner.model 2:1', 'error runner.max_steps 3:1', 'error runner.max_cost_usd 4:1', 'error runner.system_prompt 5:1', 'error runner.reasoning_effort 6:1',
      'warning runner.colour 7:3',
    ]);
    expect(read(text).run).toEqual({});
    expect(JSON.stringify(read(text).issues)).not.toContain('canary');
    expect(read('[runner]\nmodel = "m"\nmax_steps = 1.5\n').run).toEqual({ runner: { model: 'm' } });
    expect(faults('runner = "m"\n')).toEqual(['error runner 1:1']);
  });

  it('allows no tool where it restricts them in a way that cannot be understood', () => {
    for (const text of ['[tools]\nallow = "read_*"\n', '[tools]\nallow = [5]\n', '[tools]\nallow = [""]\n', 'tools = ["read_*"]\n']) {
      expect(read(text).run, text).toEqual({ tools: { allow: [] } });
      expect(read(text).issues, text).toMatchObject([{ severity: 'error', line: text.startsWith('tools') ? 1 : 2 }]);
    }
    expect(read('mcp = "no"\n')).toMatchObject({ run: { mcp: false }, issues: [{ severity: 'error', path: 'mcp', line: 1, column: 1 }] });
    expect(read('[tools]\nallow = ["a"]\ndeny = ["b"]\n')).toMatchObject({ run: { tools: { allow: ['a'] } }, issues: [{ severity: 'warning', path: 'tools.deny' }] });
  });

  it('is nothing in a file that is no TOML: what is wrong is said with its servers', () => {
    expect(read('[runner\n')).toEqual({ run: {}, issues: [] });
  });
});
