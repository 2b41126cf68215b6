import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { ExportShape } from '../../shared/model/exchange.ts';
import { loadYaml } from './document.ts';
import { literalsOf, maskFields, withReplaced } from './literals.ts';
import type { ParsedSource, RawEntry, RawValue } from './raw-entry.ts';
import { readAny } from './read-any.ts';
import { readSource, type SourceShape } from './read-source.ts';
import { containersOf } from './shapes.ts';
import { writeShape } from './write-shape.ts';

/** Files of every client, written for these tests: `<client>/<name>`, and beside them `expected.txt` with what must be read from each. */
const folder = new URL('../../../test/fixtures/config/', import.meta.url);
const clients = readdirSync(folder).toSorted();
const namesOf = (client: string) => readdirSync(new URL(`${client}/`, folder)).filter((name) => name !== 'expected.txt').toSorted();
const files = clients.flatMap((client) => namesOf(client).map((name) => ({ client, name })));
const textOf = (client: string, name: string) => readFileSync(new URL(`${client}/${name}`, folder), 'utf8');
const shapeOf = (client: string): SourceShape => {
  // The folders are named after the shapes.
  const shape = Object.keys(containersOf).find((one) => one === client);
  if (shape === undefined) throw new Error(`No shape is called ${client}`);
  return shape as SourceShape; // a key of containersOf
};
const yaml = await loadYaml();
const read = (client: string, name: string): ParsedSource => readSource(textOf(client, name), { file: name, shape: shapeOf(client), yaml });

function valueText(value: RawValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return 'plain' in value ? `plain ${JSON.stringify(value.plain)}` : `secret ${value.scope}/${value.secretRef}`;
}
function entryText({ name, fields, place, project }: RawEntry): string {
  const { command, args, url, socket, type, env, headers, enabled, ...rest } = fields;
  const launch = command === undefined ? (url ?? socket ?? '—') : [command, ...(args ?? [])].map((word) => JSON.stringify(word)).join(' ');
  const values = [...Object.entries(env ?? {}), ...Object.entries(headers ?? {})].map(([key, value]) => `\n    ${key} = ${valueText(value)}`);
  const options = Object.entries(rest).map(([key, value]) => `\n    ${key}: ${JSON.stringify(value)}`);
  const head = [
    place ? `${String(place.line)}:${String(place.column)}` : '', JSON.stringify(name), type ?? '',
    enabled === undefined ? '' : enabled ? 'on' : 'off', launch, project === undefined ? '' : `in ${project}`,
  ];
  return `  ${head.filter((part) => part !== '').join(' ')}${values.join('')}${options.join('')}`;
}
function sourceText(name: string, { entries, issues, broken, enabled, imports, settings, inputs }: ParsedSource): string {
  return [
    `# ${name}${broken ? ' BROKEN' : ''}${enabled === undefined ? '' : ` enabled=${String(enabled)}`}${imports.length > 0 ? ` imports=${imports.join(',')}` : ''}`,
    ...(Object.keys(settings).length > 0 ? [`  settings ${JSON.stringify(settings)}`] : []),
    ...inputs.map((input) => `  input ${JSON.stringify(input)}`),
    ...(entries.length > 50 ? [...entries.slice(0, 2).map(entryText), `  … ${String(entries.length)} in all`] : entries.map(entryText)),
    ...issues.map(({ severity, code, path, message, line, column, server }) => {
      const whose = server === undefined ? '' : ` [${JSON.stringify(server)}]`;
      return `  ${severity === 'error' ? '!' : '?'} ${String(line)}:${String(column)} ${code} ${JSON.stringify(path)} ${message}${whose}`;
    }),
  ].join('\n');
}

it('reads a corpus of at least 60 files, of every client', () => {
  expect(files.length).toBeGreaterThanOrEqual(60);
  expect(clients).toEqual(Object.keys(containersOf).filter((shape) => shape !== 'any').toSorted());
});

it.each(clients)('reads every file of %s as it is written down', (client) => {
  const rendered = files.filter((file) => file.client === client).map(({ name }) => sourceText(name, read(client, name)));
  expect(`${rendered.join('\n\n')}\n`).toBe(textOf(client, 'expected.txt'));
});

/** Each program writes variables in its own way; a secret's place is a variable too. */
const sameVariables = (text: string | undefined) => text?.replace(/\$\{[^}]*\}|\$env:\w+|\{env:\w+\}|•••/g, '…');
/** What a person would notice when it changed. */
const launchOf = ({ name, fields }: Pick<RawEntry, 'name' | 'fields'>) => ({
  name,
  command: sameVariables(fields.command),
  args: fields.args?.map(sameVariables) ?? [],
  url: sameVariables(fields.url),
  type: fields.command === undefined ? (fields.type ?? 'streamable-http') : undefined,
  // A bearer token becomes this header where there is no field for one.
  values: Object.keys((fields.command === undefined ? fields.headers : fields.env) ?? {}).filter((key) => key !== 'Authorization'),
});
const everyFile = files.map(({ client, name }) => ({ client, name, parsed: read(client, name) }));
/** The corpus' secrets, and what the base64 one of a path is. */
const canary = /canary(?!_)|Q2FuYXJ5/i;

const shapes = ['gatehouse', 'claude', 'vscode', 'cursor'] as const satisfies readonly ExportShape[];
const reaches = ({ fields }: RawEntry) => (fields.command ?? fields.url ?? fields.socket) !== undefined;
it.each(shapes)('exports the corpus as %s: the same servers come back, and no secret is in the file', (shape) => {
  for (const { client, name, parsed } of everyFile) {
    const named = parsed.entries.filter(({ project }) => project === undefined);
    // Other programs know no sockets, and have no way to say that a server is off.
    const entries = named.filter((entry) => shape === 'gatehouse' || (reaches(entry) && entry.fields.enabled !== false && entry.fields.socket === undefined));
    const { text, omitted } = writeShape(named.map((entry) => ({ name: entry.name, enabled: entry.fields.enabled ?? true, fields: entry.fields })), shape);
    expect(`${text}${omitted.join('\n')}`, `${client}/${name}`).not.toMatch(canary);
    const back = readSource(text, { file: `${name}.json`, shape: shape === 'gatehouse' ? 'gatehouse' : shape === 'vscode' ? 'vscode' : 'any', yaml });
    expect(back.issues.filter(({ severity }) => severity === 'error'), `${client}/${name}`).toEqual([]);
    expect(back.entries.map(launchOf), `${client}/${name}`).toEqual(entries.map((entry) => launchOf({ ...entry, fields: maskFields(entry.fields) })));
    if (shape === 'gatehouse') {
      const options = ({ fields: {
        enabled: _1, args: _2, env: _3, headers: _4, url: _5, oauth: _6, bearerToken: _7, ...rest
      } }: Pick<RawEntry, 'fields'>) => rest;
      expect(back.entries.map(options), `${client}/${name}`).toEqual(entries.map(options));
    }
  }
});

it('recognises every file of the corpus when it is pasted, with the same servers', () => {
  const unlike = everyFile.flatMap(({ client, name, parsed }) => {
    const again = readAny(textOf(client, name), { file: 'pasted text', yaml });
    const names = (source: ParsedSource) => JSON.stringify(source.entries.filter(reaches).map((entry) => entry.name));
    const same = names(again.parsed) === names(parsed) && (parsed.entries.length === 0 || again.format !== 'text');
    return same ? [] : [`${client}/${name}: ${again.format}`];
  });
  // What a file of that program may not be, pasted text may: a list, one entry, an entry without a wrong option.
  expect(unlike).toEqual([
    'environment/object.json: one server',
    'fitch-mcp-adapter/invalid-options.json: mcpServers',
    'fusion/every-error.json: list of servers',
    'gatehouse/list.json: list of servers',
    'gatehouse-toml/rules.toml: mcp_servers (Codex, harnessd)',
  ]);
});

it('masks every secret of the corpus in views, and moves every one that can move', () => {
  for (const { client, name, parsed } of everyFile) {
    for (const entry of parsed.entries) {
      expect(JSON.stringify(maskFields(entry.fields)), `${client}/${name} ${entry.name}`).not.toMatch(canary);
      const movable = literalsOf(entry.name, entry.fields, 'project').filter((literal) => literal.movable);
      // From the last to the first, as places in an address count from its start.
      const moved = movable.toReversed().reduce((fields, literal) => withReplaced(fields, literal, { secretRef: literal.suggestedKey, scope: 'project' }), entry.fields);
      expect(literalsOf(entry.name, moved, 'project').filter((literal) => literal.movable), `${client}/${name} ${entry.name}`).toEqual([]);
    }
    expect(JSON.stringify(parsed.issues), `${client}/${name}`).not.toMatch(canary);
  }
});

it('reads what is left of a damaged file, or says that it cannot, and never throws', () => {
  // A small generator, so that a failure comes back.
  let seed = 42;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const bits = ['"', '{', '}', '[', ']', ',', ':', '\n', '\0', '${', '\\', "'", '=', '- ', '&a ', '*a ', 'null', '1e999', '__proto__', '\uD800'];
  for (const { client, name } of files.filter((file) => file.name !== 'huge.json')) {
    const text = textOf(client, name);
    for (let round = 0; round < 3; round++) {
      const [from, length] = [random(text.length + 1), random(4)];
      const damaged = text.slice(0, from) + (bits[random(bits.length)] ?? '') + text.slice(from + length);
      for (const source of [readSource(damaged, { file: name, shape: shapeOf(client), yaml }), readAny(damaged, { file: name, yaml }).parsed]) {
        for (const entry of source.entries) maskFields(entry.fields);
        expect(source.broken ? source.issues.length : 1, `${client}/${name}: ${JSON.stringify(damaged)}`).toBeGreaterThan(0);
      }
    }
  }
});
