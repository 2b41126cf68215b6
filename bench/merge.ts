import { readSource, type SourceShape } from '../src/core/formats/read-source.ts';
import type { YamlShape } from '../src/core/formats/shapes.ts';
import type { ParsedSource } from '../src/core/formats/raw-entry.ts';
import { definitionOf } from '../src/core/servers/definition-of.ts';
import { mergeLayers } from '../src/core/servers/merge.ts';
import type { SourceKind } from '../src/shared/model/source.ts';
import type { Figure } from './figure.ts';
import { interleave, numberOf, type Sample } from './interleave.ts';

const servers = 500;
/** Lowest first, as decisions of where servers come from have them; each with the shape that it is read by. */
const layers: readonly (readonly [SourceKind, Exclude<SourceShape, YamlShape>])[] = [
  ['host', 'claude-desktop'], ['import', 'cursor'], ['environment', 'environment'], ['config-mcp', 'gatehouse'], ['agents', 'gatehouse'], ['agents-mcp', 'gatehouse'],
  ['home-toml', 'gatehouse-toml'], ['home', 'gatehouse'], ['project-mcp', 'gatehouse'], ['project-toml', 'gatehouse-toml'], ['project', 'gatehouse'],
];
const scopeOf = (kind: SourceKind) => (kind.startsWith('project') ? 'project' : 'global');

/** Every server in every layer: merging them and making what is shown of them, against parsing the same eleven files. */
export async function merge(): Promise<readonly Figure[]> {
  const files = layers.map(([kind, shape]) => ({ kind, shape, text: textOf(kind, shape) }));
  const parseAll = (): readonly ParsedSource[] => files.map(({ kind, shape, text }) => readSource(text, { file: kind, shape }));
  const parsed = parseAll();
  if (parsed.some(({ entries }) => entries.length !== servers)) throw new Error('a layer was not read whole');
  const sources = files.map(({ kind }) => ({ id: kind, kind, label: kind, scope: scopeOf(kind) }) as const);
  const mergeAll = () => {
    const merged = mergeLayers(sources.map((source, at) => ({ source, parsed: parsed[at] ?? { entries: [], issues: [], broken: false, imports: [], settings: {}, inputs: [] } })), true);
    const shown = merged.servers.map(({ name, owner, enabled, fields }) => definitionOf(name, owner, owner, enabled, fields));
    if (shown.length !== servers) throw new Error('servers got lost');
  };
  const medians = await interleave(async () => timed(mergeAll), async () => timed(() => void parseAll()));
  return [{ name: 'merge', value: numberOf(medians.subject, 'ms'), baseline: numberOf(medians.baseline, 'ms'), unit: 'ms', goal: 1 }];
}

function timed(work: () => void): Sample {
  const before = performance.now();
  work();
  return { ms: performance.now() - before };
}

function textOf(kind: SourceKind, shape: SourceShape): string {
  const all = Array.from({ length: servers }, (_, at) => ({
    name: `server-${at}`, command: 'npx', args: ['-y', `package-${at}@1.2.3`, '--root', '/srv/data'],
    env: { LOG_LEVEL: 'info', API_BASE: `https://api-${at}.example/v1`, TOKEN: '${SERVICE_TOKEN}' }, from: kind,
  }));
  if (shape === 'environment') return JSON.stringify(all.map(({ name, command, args }) => ({ name, command, args })));
  if (shape === 'gatehouse-toml') return all.map(({ name, command, args }) => `[mcp_servers.${name}]\ncommand = "${command}"\nargs = ${JSON.stringify(args)}\n`).join('\n');
  return JSON.stringify({ mcpServers: Object.fromEntries(all.map(({ name, from: _from, ...entry }) => [name, entry])) }, null, 2);
}
