import { contentsOf, looksLikeEntry } from './containers.ts';
import { memberOf, parseText, textOf, type DocNode, type DocResult, type YamlReader } from './document.ts';
import { toIssue } from './issues.ts';
import { nameFromCommand, nameFromUrl } from './suggest-name.ts';
import type { ParsedSource } from './raw-entry.ts';
import { isCommandLine, readCommandLines } from './read-command-line.ts';
import { broken, empty, maxCharacters, parseAny, readParsed } from './read-source.ts';
import type { SourceShape } from './shapes.ts';

const maxCommandText = 64 * 1024;
export interface Recognised {
  /** For people: what the text was taken for. */
  readonly format: string;
  readonly parsed: ParsedSource;
}

/**
 * Pasted or dropped text, whatever it is: a file of any client, one entry with or without its name, an address, or command lines. Never throws; nothing
 * of it is run, expanded or looked up. A server without a name gets one from what it runs.
 */
export function readAny(text: string, { file, yaml }: { readonly file: string; readonly yaml: YamlReader }): Recognised {
  if (text.length > maxCharacters) return { format: 'text', parsed: refused('too-large', 'The text is larger than 8 MiB', file) };
  const body = unfenced(text.replace(/^\uFEFF/, ''));
  if (body.trim() === '') return { format: 'empty text', parsed: empty };
  const address = /^\s*(https?:\/\/\S+)\s*$/i.exec(body)?.[1];
  if (address !== undefined) {
    const offset = body.indexOf(address);
    const entry: DocNode = { kind: 'object', offset, members: [{ key: 'url', offset, value: { kind: 'scalar', offset, value: address } }] };
    return { format: 'address', parsed: readParsed(named(entry, nameFromUrl(address), parseText(body, 'json')), { file, shape: 'any' }) };
  }
  if (isCommandLine(body)) {
    if (body.length <= maxCommandText) return readCommandLines(body, file);
    return { format: 'command line', parsed: refused('too-large', 'Command lines are at most 64 KiB', file) };
  }
  const parsed = /^\s*"(?:[^"\\]|\\.)*"\s*:/.test(body) ? parseFragment(body) : parseAny(body, file, yaml);
  if (!parsed.ok || !parsed.root) return { format: 'text', parsed: readParsed(parsed, { file, shape: 'any' }) };
  const { root } = parsed;
  if (root.kind === 'scalar') return { format: 'text', parsed: noServer(file) };
  if (looksLikeEntry(root)) return { format: 'one server', parsed: readParsed(named(root, nameOfEntry(root), parsed), { file, shape: 'any' }) };
  const shape = shapeOf(root, file);
  const found = contentsOf(root, shape, file, () => undefined).found;
  const known = readParsed(parsed, { file, shape });
  if (found.length > 0 || known.issues.length > 0) return { format: formatOf(found[0]?.container ?? 'text', root, shape), parsed: known };
  return { format: 'text', parsed: noServer(file) };
}

const refused = (code: 'too-large' | 'invalid-shape', message: string, file: string): ParsedSource =>
  broken(toIssue({ code, path: '', message }, file, code === 'invalid-shape' ? { line: 1, column: 1 } : undefined));
const noServer = (file: string): ParsedSource => refused('invalid-shape', 'There is no server in this text', file);

/** Entries copied out of a file, without the braces around them. Places stay those of the text. */
function parseFragment(body: string): DocResult {
  const result = parseText(`{${body.replace(/,\s*$/, '')}\n}`, 'json');
  if (result.ok) return { ...result, place: (offset) => shifted(result.place(offset)) };
  return { ...result, ...(result.place ? { place: shifted(result.place) } : {}) };
}
const shifted = ({ line, column }: { readonly line: number; readonly column: number }) => ({ line, column: line === 1 ? Math.max(1, column - 1) : column });

/** As a map with that one entry. */
function named(entry: DocNode, name: string, parsed: DocResult): DocResult {
  const { offset } = entry;
  const place = parsed.ok ? parsed.place : () => ({ line: 1, column: 1 });
  return { ok: true, root: { kind: 'object', offset, members: [{ key: name, offset, value: entry }] }, place };
}

function nameOfEntry(entry: DocNode): string {
  const own = textOf(memberOf(entry, 'name')?.value)?.trim();
  if (own !== undefined && own !== '') return own;
  const url = ['url', 'httpUrl', 'serverUrl'].map((key) => textOf(memberOf(entry, key)?.value)).find((value) => value !== undefined);
  if (url !== undefined) return nameFromUrl(url);
  const command = memberOf(entry, 'command')?.value;
  const args = memberOf(entry, 'args')?.value;
  const items = [command, args].flatMap((node) => (node?.kind === 'array' ? node.items : (node ?? [])));
  const [program = '', ...rest] = items.flatMap((item) => textOf(item) ?? []);
  return nameFromCommand(program, rest);
}

/** Programs whose entries mean something of their own under keys that all share. */
function shapeOf(root: DocNode, file: string): SourceShape {
  const servers = memberOf(root, 'mcpServers')?.value;
  const holds = (key: string) => servers?.kind === 'object' && servers.members.some(({ value }) => memberOf(value, key) !== undefined);
  if (/[\\/]\.gemini[\\/]settings\.json$/.test(file) || holds('httpUrl')) return 'gemini-cli';
  if (file.endsWith('cline_mcp_settings.json')) return 'cline';
  return 'any';
}

function formatOf(container: string, root: DocNode, shape: SourceShape): string {
  if (shape === 'gemini-cli') return 'Gemini CLI settings';
  if (shape === 'cline') return 'Cline settings';
  switch (container) {
    case 'mcpServers':
    case 'mcp-servers':
      return memberOf(root, 'projects') ? 'Claude Code settings' : 'mcpServers';
    case 'servers':
    case 'mcp.servers':
      return 'VS Code servers';
    case 'mcp':
      return 'OpenCode settings';
    case 'context_servers':
      return 'Zed settings';
    case 'mcp_servers':
      return 'mcp_servers (Codex, harnessd)';
    case 'extensions':
      return 'goose settings';
    case 'list':
      return 'list of servers';
    case 'bare':
      return 'map of servers';
    default:
      return 'text';
  }
}

/** The inside of a code block, on the lines where it stood. */
function unfenced(text: string): string {
  const block = /^(\s*)```[^\n]*(\n[\s\S]*?)\n?[ \t]*```\s*$/.exec(text);
  return block ? `${block[1] ?? ''}${block[2] ?? ''}` : text;
}
