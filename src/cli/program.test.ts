import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { exitCodeWords } from './exit-codes.ts';
import { createProgram } from './program.ts';
import { Terminal } from './terminal.ts';

const cli = { terminal: new Terminal(process, {}), env: {}, cwd: '/', version: '0.0.0', signal: new AbortController().signal, fail: () => undefined };
const program = createProgram(cli, () => undefined);
const leaves = (command: Command, path: string): readonly string[] => {
  const visible = command.createHelp().visibleCommands(command);
  return visible.length === 0 ? [path] : visible.flatMap((sub) => leaves(sub, `${path} ${sub.name()}`));
};

it('every command and every exit code is in docs/cli.md', () => {
  const page = readFileSync('docs/cli.md', 'utf8');
  const all = leaves(program, 'gatehouse');
  expect(all.length).toBeGreaterThan(25);
  expect(all.filter((path) => !page.includes(`\`${path}`))).toEqual([]);
  for (const [code, words] of exitCodeWords) expect(page).toContain(`| ${code} | ${words} |`);
});

it('every command that works on a core prints JSON when asked, and no flag of any answers in a person’s place', () => {
  const every = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(every)];
  const workers = every(program).filter((command) => command.commands.length === 0 && !['help', 'completion', 'complete', 'install'].includes(command.name()));
  expect(workers.filter((command) => !command.options.some(({ long }) => long === '--json')).map((command) => command.name())).toEqual([]);
  const trust = every(program).find((command) => command.name() === 'trust');
  expect(trust?.options.map(({ long }) => long)).toEqual(['--json', '--project', '--config', '--mcp-config', '--show', '--revoke']);
});
