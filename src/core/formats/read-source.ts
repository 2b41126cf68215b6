import type { ConfigIssue, Place } from '../../shared/model/source.ts';
import { contentsOf, type FoundEntry } from './containers.ts';
import { childOf, loadYaml, parseText, type DocResult, type Syntax, type YamlReader } from './document.ts';
import { joinPath, toIssue, type Finding, type Say } from './issues.ts';
import { fieldPath, literalsOf } from './literals.ts';
import type { ParsedSource, RawEntry, RawField } from './raw-entry.ts';
import { readEntry } from './read-entry.ts';
import { isStrict, mayBeYaml, type SourceShape, type YamlShape } from './shapes.ts';

export type { SourceShape } from './shapes.ts';

export const maxEntries = 2000;
export const maxCharacters = 8 * 1024 * 1024;

export interface ReadOptions {
  /** For issues: a path or a label. */
  readonly file: string;
  readonly shape: SourceShape;
  /** On Windows the names of environment variables differ by more than their case. */
  readonly platform?: 'linux' | 'darwin' | 'win32';
}
type Readable = (ReadOptions & { readonly shape: Exclude<SourceShape, YamlShape> }) | (ReadOptions & { readonly yaml: YamlReader });

/** Reads a configuration file, whoever's it is. Never throws, runs nothing and looks nothing up. A bad entry is an issue of its own; the others load. */
export function readSource(text: string, options: Readable): ParsedSource {
  const { file } = options;
  if (text.length > maxCharacters) return broken(toIssue({ code: 'too-large', path: '', message: `${file} is larger than 8 MiB` }, file, undefined));
  return readParsed(parse(text, options), options);
}

/** The same of a file that may be YAML. */
export async function readSourceFile(text: string, { shape, ...options }: ReadOptions): Promise<ParsedSource> {
  return readSource(text, mayBeYaml(shape) ? { ...options, shape, yaml: await loadYaml() } : { ...options, shape });
}

/** The same of a document that is parsed already. */
export function readParsed(parsed: DocResult, options: ReadOptions): ParsedSource {
  const { file, shape } = options;
  if (!parsed.ok) {
    const message = shape === 'environment' ? `${file}: ${parsed.message}` : parsed.message;
    return broken(toIssue({ code: 'unparsable', path: '', message }, file, parsed.place));
  }
  if (!parsed.root) return empty;
  const issues: ConfigIssue[] = [];
  const say = (finding: Finding) => void issues.push(toIssue(finding, file, finding.offset === undefined ? undefined : parsed.place(finding.offset)));
  const contents = contentsOf(parsed.root, shape, file, say);
  const entries = readEntries(contents.found, options, parsed.place, say);
  const { enabled, imports, settings, inputs } = contents;
  return {
    entries,
    issues: issues.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
    broken: contents.misshapen && entries.length === 0,
    ...(enabled === undefined ? {} : { enabled }),
    imports,
    settings,
    inputs,
  };
}

export const empty: ParsedSource = { entries: [], issues: [], broken: false, imports: [], settings: {}, inputs: [] };
export const broken = (issue: ConfigIssue): ParsedSource => ({ ...empty, issues: [issue], broken: true });

/** Entries in their order, each under a name of its own. */
export function readEntries(all: readonly FoundEntry[], options: ReadOptions, place: (offset: number) => Place, say: Say): readonly RawEntry[] {
  const { file, shape, platform } = options;
  const entries: RawEntry[] = [];
  const seen = new Set<string>();
  for (const found of all.slice(0, maxEntries)) {
    const { entry, findings, fieldOffsets } = readEntry(found, shape, platform === 'win32');
    // H-4: of the variable, which has no lines that a person would count.
    const where = shape === 'environment' ? `Entry ${String(found.index ?? 0)} of ${file}: ` : '';
    for (const finding of findings) say({ ...finding, message: `${where}${finding.message}` });
    if (!entry) continue;
    const identity = JSON.stringify([entry.project ?? null, entry.name]);
    const at = { path: found.path, offset: found.offset, server: entry.name };
    if (seen.has(identity)) {
      say({ ...at, code: 'duplicate-name', message: `${where}The name stands there twice; ${found.key === undefined ? 'the first counts' : 'this one does not count'}` });
      continue;
    }
    seen.add(identity);
    const places = Object.entries(fieldOffsets).map(([field, offset]) => [field, place(offset)] as const);
    const fieldPlaces: Readonly<Partial<Record<RawField, Place>>> = Object.fromEntries(places);
    entries.push({ ...entry, place: place(found.offset), fieldPlaces });
    warnOfLiterals(entry, found, fieldOffsets, shape, say);
  }
  const first = all[maxEntries];
  if (first) {
    const message = `${file} has more than ${String(maxEntries)} servers; the rest is left out`;
    say({ code: 'too-large', path: first.path, message, offset: first.offset });
  }
  return entries;
}

type Offsets = Readonly<Partial<Record<string, number>>>;
/** Literal text loads (decisions.md, section 7); what looks secret is said, so that it can be moved to the vault. */
function warnOfLiterals(entry: Pick<RawEntry, 'name' | 'fields'>, found: FoundEntry, offsets: Offsets, shape: SourceShape, say: Say): void {
  for (const { field, key } of literalsOf(entry.name, entry.fields, 'global')) {
    const [top = field] = field.split('.');
    const below = field === 'args' ? ['args', Number(key)] : [field === 'url' || field === 'command' ? field : fieldPath(field, key)];
    const path = joinPath(found.path, ...below);
    const inner = childOf(childOf(found.node, top), key);
    say({
      code: 'plaintext-secret', severity: 'warning', path, server: entry.name, offset: inner?.offset ?? offsets[top] ?? found.offset,
      message: isStrict(shape) ? 'A secret stands here in plain text; it can be moved to the vault' : 'A secret stands here in plain text',
    });
  }
}

function parse(text: string, options: Readable): DocResult {
  switch (options.shape) {
    case 'gatehouse-toml':
    case 'harnessd':
      return parseText(text, 'toml');
    case 'codex':
      return parseText(text, /\.jsonc?$/i.test(options.file) ? 'json' : 'toml');
    case 'goose':
      return parseText(text, options.yaml);
    case 'any':
      return parseAny(text, options.file, options.yaml);
    default:
      return parseText(text, 'json');
  }
}

/** The first syntax that the text fits. When it fits none, what is wrong with it is said for the one that it looks most like. */
export function parseAny(text: string, file: string, yaml: YamlReader): DocResult {
  const likely = likelySyntax(text, file, yaml);
  // Broken JSON is often fine as YAML, and then means something else.
  if (likely === 'json' && /^[\s\uFEFF]*[{/]/.test(text)) return parseText(text, 'json');
  let first: DocResult | undefined;
  for (const syntax of [likely, ...(['json', 'toml', yaml] as const).filter((one) => one !== likely)]) {
    const result = parseText(text, syntax);
    // YAML takes any line for a text: only a map or a list says that it is meant.
    if (result.ok && (syntax === 'json' || !result.root || result.root.kind !== 'scalar')) return result;
    first ??= result;
  }
  return first ?? { ok: false, message: 'It is neither JSON, TOML nor YAML' };
}

function likelySyntax(text: string, file: string, yaml: YamlReader): Syntax {
  const ending = /\.(jsonc?|toml|ya?ml)$/i.exec(file)?.[1]?.toLowerCase();
  if (ending !== undefined) return ending === 'toml' ? 'toml' : ending.startsWith('y') ? yaml : 'json';
  const start = /^(?:[ \t\uFEFF]*(?:#[^\n]*)?\r?\n)*[ \t\uFEFF]*([^\n]*)/.exec(text)?.[1]?.slice(0, 1000) ?? '';
  if (start.startsWith('[')) return /^\[\[?[ \t]*(?:[A-Za-z_][\w-]*|"[^"]*"[ \t]*\.|'[^']*')/.test(start) ? 'toml' : 'json';
  if (/^[{/]/.test(start)) return 'json';
  return /^[\w"'.-]+[ \t]*=/.test(start) ? 'toml' : yaml;
}
