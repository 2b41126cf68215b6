import { Command, InvalidArgumentError, Option } from 'commander';
import { ConfigScope, SecretKey } from '../shared/model/config-value.ts';
import { ServerName } from '../shared/model/server-definition.ts';
import { oneLine } from './output.ts';

/** What every command that works on a core can be told. */
export function withCommon(command: Command): Command {
  return command
    .option('--json', 'print one JSON document')
    .option('--project [path]', 'the project: a folder, or the nearest one from here up')
    .option('--config <file>', 'use this file in place of the home\'s mcp.json, in a run of its own')
    .addOption(new Option('--mcp-config <file>', 'the same as --config').hideHelp());
}

export const scopeOption = (fallback: ConfigScope | 'effective', also: readonly string[] = []): Option =>
  new Option('--scope <scope>', 'whose configuration').choices([...ConfigScope.options, ...also]).default(fallback);

/** A server's name as files may hold it. */
export function serverName(text: string): string {
  const parsed = ServerName.safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError('A name has 1 to 100 characters, without slashes and control characters.');
  return parsed.data;
}

export function secretKey(text: string): SecretKey {
  const parsed = SecretKey.safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError('A secret\'s name has 1 to 200 letters, digits, dots, dashes and underscores.');
  return parsed.data;
}

export interface Pair {
  readonly name: string;
  readonly value: string;
}
/** `K=V`, once or more. Both sides have to be there. Not a parser of commander's: its message would show a secret's value. */
export function pairs(command: Command, flag: string, texts: readonly string[] = []): readonly Pair[] {
  return texts.map((text) => {
    const cut = text.indexOf('=');
    const name = text.slice(0, Math.max(cut, 0)).trim();
    const value = text.slice(cut + 1);
    if (cut < 0 || name === '' || value === '') command.error(`error: option '${flag}' wants NAME=VALUE, with something on both sides`, { exitCode: 1 });
    return { name, value };
  });
}

export const many = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** A JSON array of texts, or a list with commas. */
export function argumentList(text: string): readonly string[] {
  if (!text.trimStart().startsWith('[')) return text.split(',').map((part) => part.trim()).filter((part) => part !== '');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('This is no JSON array.');
  }
  if (!Array.isArray(parsed) || !parsed.every((part) => typeof part === 'string')) throw new InvalidArgumentError('A JSON array of texts is expected.');
  return parsed;
}

export function milliseconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 30_000) throw new InvalidArgumentError('A whole number from 1 to 30000 is expected.');
  return value;
}

/** Examples under the help of a command. */
export const examples = (...lines: readonly (readonly [string, string])[]): string =>
  `\nExamples:\n${lines.map(([command, what]) => `  $ ${command}\n      ${oneLine(what)}`).join('\n')}\n`;
