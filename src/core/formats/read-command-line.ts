import type { ConfigIssue } from '../../shared/model/source.ts';
import type { FoundEntry } from './containers.ts';
import { parseText, placesOf, type DocNode } from './document.ts';
import { toIssue, type Finding } from './issues.ts';
import { parseMcpAdd, type AddedServer } from './mcp-add.ts';
import type { Recognised } from './read-any.ts';
import { broken, empty, readEntries } from './read-source.ts';
import { shellWords, type Word } from './shell-words.ts';
import { nameFromCommand, nameFromUrl } from './suggest-name.ts';

const programOf = (word: string): string => word.replace(/\.(?:exe|cmd)$/i, '').toLowerCase();
const runners: ReadonlySet<string> = new Set([
  'npx', 'bunx', 'pnpx', 'uvx', 'pnpm', 'yarn', 'npm', 'bun', 'uv', 'pipx', 'deno', 'node', 'tsx', 'python', 'python3', 'py', 'docker', 'podman', 'go', 'dotnet', 'java', 'ruby', 'php',
  'cmd', 'powershell', 'pwsh', 'sh', 'bash', 'env', 'sudo',
]);
/** Programs that have servers added to them. */
const clients: ReadonlySet<string> = new Set([
  'claude', 'codex', 'gemini', 'qwen', 'copilot', 'amp', 'droid', 'code', 'code-insiders', 'codium', 'cursor', 'windsurf', 'kiro',
]);

/** Whether a text is meant as command lines: it starts with a program that starts servers, a client that adds them, or a path. */
export function isCommandLine(text: string): boolean {
  const first = text.split('\n').map(withoutPrompt).find((line) => line.trim() !== '' && !/^\s*#/.test(line)) ?? '';
  if (/^\s*[[{]/.test(first)) return false;
  const word = /^\s*(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)\s+)*(?:"([^"]+)"|'([^']+)'|(\S+))(?=\s|$)/.exec(first);
  const program = word?.[1] ?? word?.[2] ?? word?.[3] ?? '';
  if (/^(?:[A-Za-z]:[\\/]|\\\\[\w.]|\.{0,2}\/|~\/)/.test(program)) return !/^\/[/*]/.test(program);
  return (runners.has(programOf(program)) || clients.has(programOf(program))) && !/^\s*[\w"'.-]+\s*[:=](?:\s|$)/.test(first);
}

/** Each line is one server. Nothing is run or expanded: `$VAR` becomes a template that is filled in at launch. */
export function readCommandLines(text: string, file: string): Recognised {
  const body = text.split('\n').map(withoutPrompt).join('\n');
  const place = placeIn(text, body);
  const words = shellWords(body);
  if (!words.ok) {
    const issue = toIssue({ code: 'unparsable', path: '', message: words.message }, file, place(words.offset));
    return { format: 'command line', parsed: broken(issue) };
  }
  const issues: ConfigIssue[] = [];
  const say = (finding: Finding) => void issues.push(toIssue(finding, file, finding.offset === undefined ? undefined : place(finding.offset)));
  let format = 'command line';
  const found: FoundEntry[] = [];
  for (const line of words.lines) {
    const { server, from } = serverOf(line);
    format = from;
    const offset = line[0]?.offset ?? 0;
    if ('problem' in server) say({ code: 'invalid-shape', path: '', message: server.problem, offset });
    else found.push({ key: server.name, node: server.node, offset, path: server.name, container: 'bare' });
  }
  if (words.substitution) {
    say({ code: 'invalid-args', severity: 'warning', path: '', message: 'What stands in $(…) or backticks is not run; it stays as text', offset: 0 });
  }
  const entries = readEntries(found, { file, shape: 'any' }, place, say);
  return { format, parsed: { ...empty, entries, issues, broken: entries.length === 0 && issues.length > 0 } };
}

type Values = Readonly<Record<string, string>>;
interface NamedNode {
  readonly name: string;
  readonly node: DocNode;
}
type Read = NamedNode | { readonly problem: string };

function serverOf(line: readonly Word[]): { readonly server: Read; readonly from: string } {
  const env: Record<string, string> = {};
  let rest = line;
  for (let [word] = rest; word; [word] = rest) {
    const pair = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(word.text);
    if (pair?.[1] !== undefined) env[pair[1]] = pair[2] ?? '';
    else if (!/^(?:env|sudo|\$)$/.test(word.text)) break;
    rest = rest.slice(1);
  }
  const [first, second] = rest;
  if (!first) return { server: { problem: 'There is no command in this line' }, from: 'command line' };
  const client = clients.has(programOf(first.text)) ? programOf(first.text) : undefined;
  if (client !== undefined && second?.text === 'mcp') {
    const from = `${client} mcp ${rest[2]?.text ?? ''}`.trim();
    const added = parseMcpAdd(rest.slice(2).map(({ text }) => text), client);
    return { from, server: 'problem' in added ? added : 'json' in added ? fromJson(added.name, added.json, first.offset) : fromAdded(added, first.offset) };
  }
  const json = client === undefined ? -1 : rest.findIndex(({ text }) => text === '--add-mcp');
  const inline = rest.find(({ text }) => text.startsWith('--add-mcp='));
  if (client !== undefined && (json !== -1 || inline)) {
    const given = inline ? inline.text.slice('--add-mcp='.length) : rest[json + 1]?.text;
    return { from: `${client} --add-mcp`, server: fromJson(undefined, given ?? '', first.offset) };
  }
  if (client !== undefined) return { from: client, server: { problem: `“${client}” adds servers with “mcp add”` } };
  const [command = '', ...args] = joinedPath(rest.map(({ text }) => text));
  const run = /^(?:docker|podman)(?:\.exe)?$/i.test(command) ? passedOn(args, env) : { args, env };
  const entry = { command, args: run.args, ...(Object.keys(run.env).length > 0 ? { env: run.env } : {}) };
  return { from: 'command line', server: { name: nameFromCommand(command, args), node: toDoc(entry, first.offset) } };
}

function fromAdded({ name, fields }: Extract<AddedServer, { readonly fields: unknown }>, offset: number): Read {
  const { command, args = [], url } = fields;
  const own = name ?? (url === undefined ? nameFromCommand(command ?? '', args) : nameFromUrl(url));
  return { name: own, node: toDoc(fields, offset) };
}

function fromJson(name: string | undefined, json: string, offset: number): Read {
  const parsed = parseText(json, 'json');
  if (!parsed.ok) return { problem: parsed.message };
  if (parsed.root?.kind !== 'object') return { problem: 'The JSON must be one object' };
  const node = at(parsed.root, offset);
  const inner = node.kind === 'object' ? node.members.find(({ key }) => key === 'name')?.value : undefined;
  const own = name ?? (inner?.kind === 'scalar' && typeof inner.value === 'string' ? inner.value : undefined);
  return own === undefined ? { problem: 'The JSON has no name' } : { name: own, node };
}

/** `-e KEY=value` of docker as `-e KEY` and a variable of the entry, where it can be a secret: arguments are seen by every program. */
function passedOn(args: readonly string[], env: Values): { readonly args: readonly string[]; readonly env: Values } {
  const own: Record<string, string> = { ...env };
  const kept = args.map((arg, index) => {
    const flagged = /^(?:-e|--env)$/.test(args[index - 1] ?? '') ? /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(arg) : /^--env=([A-Za-z_]\w*)=([\s\S]*)$/.exec(arg);
    if (flagged?.[1] === undefined || args.slice(0, index - 1).some((one, before) => before > 0 && !one.startsWith('-') && isImage(args, before))) return arg;
    own[flagged[1]] = flagged[2] ?? '';
    return arg.startsWith('--env=') ? `--env=${flagged[1]}` : flagged[1];
  });
  return { args: kept, env: own };
}
const valued: ReadonlySet<string> = new Set([
  '-e', '--env', '-v', '--volume', '--mount', '-p', '--publish', '--name', '--network', '-w', '--workdir', '-u', '--user', '--env-file', '--entrypoint', '--platform',
  '-l', '--label', '--add-host', '-m', '--memory', '--cpus', '--gpus',
]);
/** Past the image, arguments are the server's own. */
const isImage = (args: readonly string[], at: number): boolean => !valued.has(args[at - 1] ?? '');

const windowsProgram = /\.(?:exe|cmd|bat|com)$/i;
/** A program whose path has spaces and was not quoted: `C:\Program Files\nodejs\node.exe`, `/Applications/My App.app/Contents/MacOS/x`. */
function joinedPath(words: readonly string[]): readonly string[] {
  if (!/^(?:[A-Za-z]:[\\/]|\/Applications\/)/.test(words[0] ?? '')) return words;
  for (let count = 2; count <= Math.min(words.length, 8); count++) {
    const whole = words.slice(0, count).join(' ');
    const ends = whole.startsWith('/Applications/') ? /\.app\/Contents\/MacOS\/[^/]+$/.test(whole) : windowsProgram.test(whole);
    if (ends && !windowsProgram.test(words[0] ?? '') && !words[0]?.includes('.app/')) return [whole, ...words.slice(count)];
  }
  return words;
}

function toDoc(value: unknown, offset: number): DocNode {
  if (Array.isArray(value)) return { kind: 'array', offset, items: value.map((item: unknown) => toDoc(item, offset)) };
  if (typeof value === 'object' && value !== null) {
    return { kind: 'object', offset, members: Object.entries(value).map(([key, item]: [string, unknown]) => ({ key, offset, value: toDoc(item, offset) })) };
  }
  return { kind: 'scalar', offset, value: typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null };
}

/** What stands inside of a word has no places of its own. */
function at(node: DocNode, offset: number): DocNode {
  if (node.kind === 'array') return { ...node, offset, items: node.items.map((item) => at(item, offset)) };
  if (node.kind === 'scalar') return { ...node, offset };
  return { kind: 'object', offset, members: node.members.map(({ key, value }) => ({ key, offset, value: at(value, offset) })) };
}

const withoutPrompt = (line: string): string => line.replace(/^(\s*)(?:\$|>|PS[^>\n]*>|[A-Za-z]:\\[^>\n]*>)\s+/, '$1');

/** Places in the text as it was given, before its prompts went. */
function placeIn(text: string, body: string): (offset: number) => { readonly line: number; readonly column: number } {
  const given = text.split('\n');
  const kept = body.split('\n');
  const inBody = placesOf(body);
  return (offset) => {
    const { line, column } = inBody(offset);
    return { line, column: column + (given[line - 1]?.length ?? 0) - (kept[line - 1]?.length ?? 0) };
  };
}
