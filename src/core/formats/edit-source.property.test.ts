import { createScanner, parse, type Node, type ParseError } from 'jsonc-parser';
import { expect, it } from 'vitest';
import { editSource, type FileEdit } from './edit-source.ts';
import { endOf, jsonTree, memberOf, membersOf, objectRoot } from './json-tree.ts';

/** The same numbers at every run. */
function dice(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const upTo = (most: number): number => Math.floor(next() * (most + 1));
  const pick = <T>(from: readonly [T, ...T[]]): T => {
    const at = upTo(from.length - 1);
    const [first, ...rest] = from;
    return at === 0 ? first : rest.reduce((found, item, index) => (index === at - 1 ? item : found), first);
  };
  return { upTo, pick, chance: (of: number): boolean => next() < of };
}
type Dice = ReturnType<typeof dice>;

const names = ['a', 'b', 'my server', 'ü-日本', 'q"uote\\', 'constructor', 'env', 'x'.repeat(60), '😀'] as const;
const texts = ['x', '/* no comment */', '// nor this', 'a,b', '}{][', 'ü日本', '', 'C:\\x', '\u0000\n\t', '${A:-b}'] as const;
const eols = ['\n', '\r\n', '\r'] as const;
const shapes = ['mcpServers', 'mcp-servers', 'servers', 'bare', 'list', 'root-list', 'none'] as const;

/** A document as no person would write it: anything may stand anywhere. */
class Writer {
  readonly #dice: Dice;
  readonly #eol: string;
  readonly #wild: number;
  constructor(random: Dice) {
    this.#dice = random;
    this.#eol = random.pick(eols);
    this.#wild = random.pick([0, 0.2, 0.6]);
  }

  document(): string {
    const shape = this.#dice.pick(shapes);
    const others = [...this.#extras(), ...this.#extras()];
    const servers = this.#servers(shape);
    const members = shape === 'bare' ? [...servers] : [...others.slice(0, 1), ...servers, ...others.slice(1)];
    return this.gap() + this.#object(members, 0) + this.gap() + this.#dice.pick(['', this.#eol]);
  }

  gap(depth = 0): string {
    const { chance, pick, upTo } = this.#dice;
    if (!chance(this.#wild)) return chance(0.5) ? '' : this.#eol + '  '.repeat(depth);
    const comment = chance(0.5) ? pick(['/* c */', '/* , */', '/**/', `/* { "a": 1,${this.#eol} } */`]) : `// ${pick(['note', '"a": 1,', 'ü', ''])}${this.#eol}`;
    return ' '.repeat(upTo(2)) + comment + pick(['', ' ', '\t', this.#eol]);
  }

  #extras(): string[] {
    return this.#dice.chance(0.5) ? [`"other${this.#dice.upTo(1e6)}"${this.gap()}:${this.gap()}${this.#value(2)}`] : [];
  }

  #servers(shape: (typeof shapes)[number]): string[] {
    switch (shape) {
      case 'none': return [];
      case 'bare': return [`"first":${this.gap()}${this.#object(['"command": "x"'], 1)}`, ...this.#entries()];
      case 'list': return [`"mcpServers": ${this.#object(['"enabled": true', `"servers": ${this.#list()}`], 1)}`];
      case 'root-list': return [`"servers": ${this.#list()}`];
      default: return [`${JSON.stringify(shape)}${this.gap()}:${this.gap()}${this.#object(this.#entries(), 1)}`];
    }
  }

  #entries(): string[] {
    return Array.from({ length: this.#dice.upTo(4) }, () => `${this.#key(this.#dice.pick(names))}${this.gap(2)}:${this.gap(2)}${this.#object(this.#fields(), 2)}`);
  }

  #list(): string {
    const some = names.filter(() => this.#dice.chance(0.4));
    return this.#wrapped('[', ']', some.map((name) => this.#object([`"name": ${this.#key(name)}`, ...this.#fields()], 2)), 2);
  }

  #fields(): string[] {
    const { chance, pick } = this.#dice;
    if (chance(0.2)) return ['"disabled": true'];
    const env = Array.from({ length: this.#dice.upTo(3) }, (_, at) => `"E${at}":${this.gap()}${JSON.stringify(pick(texts))}`);
    const all = [
      ['"command"', JSON.stringify(pick(texts))], ['"args"', this.#wrapped('[', ']', Array.from({ length: this.#dice.upTo(3) }, () => JSON.stringify(pick(texts))), 3)], ['"env"', this.#object(env, 3)],
      ['"url"', '"https://x"'], ['"type"', pick(['"stdio"', '"sse"'])], ['"disabled"', 'true'], ['"enabled"', 'false'], ['"unknown"', this.#value(2)], ['"command"', '"again"'],
    ];
    return all.filter(() => chance(0.4)).map(([key, value]) => `${key ?? ''}${this.gap(3)}:${this.gap(3)}${value ?? ''}`);
  }

  #value(depth: number): string {
    const { pick, upTo } = this.#dice;
    if (depth > 0 && this.#dice.chance(0.4)) return this.#wrapped('[', ']', Array.from({ length: upTo(2) }, () => this.#value(depth - 1)), 3);
    if (depth > 0 && this.#dice.chance(0.4)) return this.#object(Array.from({ length: upTo(2) }, (_, at) => `"k${at}": ${this.#value(depth - 1)}`), 3);
    return pick(['1', '-2.50', '1e3', 'true', 'null', JSON.stringify(pick(texts))]);
  }

  /** Letters may be written as escapes. */
  #key(name: string): string {
    return this.#dice.chance(0.1) ? JSON.stringify(name).replaceAll('a', '\\u0061') : JSON.stringify(name);
  }

  #object(members: readonly string[], depth: number): string {
    return this.#wrapped('{', '}', members, depth);
  }

  #wrapped(open: string, close: string, parts: readonly string[], depth: number): string {
    const trailing = parts.length > 0 && this.#dice.chance(0.2) ? `,${this.gap()}` : '';
    const separate = (): string => `${this.gap()},${this.gap(depth + 1)}`;
    return open + this.gap(depth + 1) + parts.map((part, at) => (at === 0 ? part : separate() + part)).join('') + trailing + this.gap(depth) + close;
  }
}

const stdio = ['command', 'args', 'cwd', 'env', 'envFile'];
const remote = ['url', 'headers', 'auth', 'bearerToken', 'bearerTokenEnv', 'oauth', 'serverUrl', 'httpUrl'];
type Json = Record<string, unknown>;

function randomFields(random: Dice): Json {
  const { chance, pick, upTo } = random;
  const env = Object.fromEntries(Array.from({ length: upTo(3) }, () => [`E${upTo(4)}`, pick(texts)]));
  const args = Array.from({ length: upTo(4) }, () => pick(texts));
  const way: Json = chance(0.6) ? { command: pick(texts), args, env } : { type: 'sse', url: 'https://new', headers: env };
  return { ...way, ...(chance(0.3) ? { required: chance(0.5) } : {}), ...(chance(0.2) ? { cwd: undefined } : {}) };
}

function randomEdit(random: Dice): FileEdit {
  const { chance, pick } = random;
  const name = pick(names);
  switch (pick(['put', 'put', 'rename', 'patch', 'patch', 'remove', 'switch', 'set'] as const)) {
    case 'put': return { op: 'put', name, fields: randomFields(random) };
    case 'rename': return { op: 'put', name: 'new name', previousName: name, fields: randomFields(random) };
    case 'patch': return { op: 'patch', name, fields: chance(0.5) ? { enabled: pick([true, false, null]) } : { required: pick([true, null]), command: pick(['n', null]) } };
    case 'remove': return { op: 'remove', name };
    case 'switch': return { op: 'switch', enabled: pick([true, false, null]) };
    case 'set': return { op: 'set', path: ['settings', 'a', 'b'], value: pick<unknown>([1, { x: [1] }, undefined]) };
  }
}

interface Servers {
  readonly list: boolean;
  readonly all: ReadonlyMap<string, Json>;
}
/** What the servers of a text are; the last of a name counts in a map, and lists hold each name once. */
function serversOf(text: string): Servers {
  const root: Json = parse(text, [], { allowTrailingComma: true }) ?? {};
  const held = root.mcpServers ?? root['mcp-servers'] ?? root.servers;
  const items: unknown = Array.isArray(held) ? held : (held as Json | undefined)?.servers; // an object by construction
  if (Array.isArray(items)) return { list: true, all: new Map(items.map((item: Json) => [String(item.name), Object.fromEntries(Object.entries(item).filter(([key]) => key !== 'name'))])) };
  if (held === undefined && !('first' in root)) return { list: false, all: new Map() };
  return { list: false, all: new Map(Object.entries((held ?? root) as Record<string, Json>).filter(([key]) => held !== undefined || !['mcpEnabled', 'settings'].includes(key))) };
}

/** What they must be afterwards. */
function expected(before: Servers, edit: FileEdit): ReadonlyMap<string, Json> {
  const all = new Map(before.all);
  if (edit.op === 'remove') all.delete(edit.name);
  if (edit.op === 'put') {
    const previous = edit.previousName !== undefined && all.has(edit.previousName) ? edit.previousName : edit.name;
    const old = all.get(previous) ?? {};
    const local = 'command' in edit.fields;
    const foreign = local ? [...remote, 'socket'] : [...stdio, 'socket'];
    const wrongType = (local ? old.type !== 'stdio' : old.type === 'stdio') ? ['type'] : [];
    all.delete(previous);
    all.set(edit.name, { ...Object.fromEntries(Object.entries(old).filter(([key]) => ![...foreign, ...wrongType].includes(key))), ...edit.fields });
  }
  if (edit.op === 'patch') {
    const old = all.get(edit.name);
    const adds = Object.values(edit.fields).some((value) => value !== null);
    if (!old && !adds) return all;
    const { enabled, ...rest } = edit.fields;
    const next: Json = { ...old, ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, value ?? undefined])) };
    if ('enabled' in edit.fields) {
      const spelled = next.disabled !== undefined ? 'disabled' : next.enabled !== undefined || before.list ? 'enabled' : 'disabled';
      delete next.disabled;
      delete next.enabled;
      if (enabled !== null) next[spelled] = spelled === 'enabled' ? enabled : !enabled;
    }
    all.set(edit.name, next);
  }
  return all;
}

/** Everything but blanks and commas, comments included. */
function tokens(text: string): readonly string[] {
  const scanner = createScanner(text, false);
  const found: string[] = [];
  for (let at = 0; at < text.length; ) {
    scanner.scan();
    const end = scanner.getPosition();
    if (end <= at) break;
    const token = text.slice(at, end);
    if (!/^[\s,]/.test(token)) found.push(token);
    at = end;
  }
  return found;
}

const comments = (text: string): readonly string[] => tokens(text).filter((token) => token.startsWith('/'));

function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const letter of whole) if (part.startsWith(letter, at)) at += letter.length;
  return at === part.length;
}

function nodesOf(text: string, name: string): readonly Node[] {
  const tree = jsonTree(text);
  if (tree.kind === 'broken' || !tree.root) return [];
  const root = tree.root;
  const held = ['mcpServers', 'mcp-servers', 'servers'].map((key) => memberOf(root, key)?.value).find((node) => node !== undefined);
  const list = held?.type === 'array' ? held : memberOf(held, 'servers')?.value;
  if (list?.type === 'array') return (list.children ?? []).filter((item) => memberOf(item, 'name')?.value.value === name);
  return membersOf(held ?? root).filter(({ key }) => key === name).map(({ property }) => property);
}

const without = (text: string, nodes: readonly Node[]): string => nodes.toReversed().reduce((rest, node) => rest.slice(0, node.offset) + rest.slice(endOf(node)), text);
const said = (map: ReadonlyMap<string, Json>): unknown => [...map.keys()].toSorted().map((name) => [name, JSON.parse(JSON.stringify(map.get(name)))]);

it('random edits of random documents say what was asked and lose nothing outside the edited entry', () => {
  const reached = new Set<string>();
  for (let seed = 1; seed <= 2000; seed++) {
    const random = dice(seed);
    const text = new Writer(random).document();
    const edit = randomEdit(random);
    const after = editSource(text, [edit]);
    const about = `seed ${seed}: ${JSON.stringify(edit)}\n--- before\n${text}\n--- after\n${after}`;

    const errors: ParseError[] = [];
    parse(after, errors, { allowTrailingComma: true });
    expect(errors, about).toEqual([]);
    const before = serversOf(text);
    const now = serversOf(after).all;
    const wanted = expected(before, edit);
    if (edit.op === 'patch' && !now.has(edit.name)) {
      expect(said(new Map([[edit.name, wanted.get(edit.name) ?? {}]])), about).toEqual([[edit.name, {}]]);
      expect(said(now), about).toEqual(said(new Map([...wanted].filter(([name]) => name !== edit.name))));
    } else expect(said(now), about).toEqual(said(wanted));

    if (edit.op === 'switch' || edit.op === 'set') {
      reached.add(edit.op);
      expect(comments(after), about).toEqual(comments(text));
      continue;
    }
    const was = edit.op === 'put' && edit.previousName !== undefined && nodesOf(text, edit.previousName).length > 0 ? nodesOf(text, edit.previousName) : nodesOf(text, edit.name);
    const is = nodesOf(after, edit.name);
    const [first, last] = [was[0], was.at(-1)];
    if (first && last && is[0]) {
      reached.add(`${edit.op}-changes`);
      // Not a byte before the first and after the last of that name.
      expect(after.slice(0, is[0].offset), about).toBe(text.slice(0, first.offset));
      expect(after.slice(endOf(is.at(-1) ?? is[0])), about).toBe(text.slice(endOf(last)));
      expect(without(after, is), about).toBe(without(text, was));
    } else if (is.length > 0) {
      reached.add(`${edit.op}-adds`);
      const container = tokens(without(after, is)).join(' ').replace('"mcpServers" : { }', '').replace(/ +/g, ' ').trim();
      expect(container === tokens(text).join(' ').replace(/ +/g, ' ').trim() || tokens(without(after, is)).join(' ') === tokens(text).join(' '), about).toBe(true);
      expect(isWithin(text.replace(/\{\s+\}|\[\s+\]/g, (empty) => empty.replace(/\s/g, '')), after), about).toBe(true);
    } else if (first) {
      reached.add(`${edit.op}-removes`);
      expect(isWithin(after, text), about).toBe(true);
      expect(tokens(after), about).toEqual(tokens(without(text, was)));
    } else expect(after, about).toBe(text);
    expect(editSource(after, [edit.op === 'put' ? { op: 'put', name: edit.name, fields: edit.fields } : edit]), about).toBe(after);
  }
  expect([...reached].toSorted()).toEqual(['patch-adds', 'patch-changes', 'patch-removes', 'put-adds', 'put-changes', 'remove-removes', 'set', 'switch']);
}, 60_000);

it('an edit never changes a document that it finds broken', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = dice(seed);
    const text = new Writer(random).document();
    const cut = text.slice(0, objectRoot(text).offset + 1 + random.upTo(Math.max(0, objectRoot(text).length - 3)));
    expect(() => editSource(cut, [{ op: 'put', name: 'a', fields: { command: 'x' } }])).toThrow(expect.objectContaining({ code: 'config/invalid' }));
  }
});
