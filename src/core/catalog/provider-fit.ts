import type { JsonObject } from '../../shared/model/catalog.ts';
import type { ProviderKind } from '../../shared/model/settings.ts';
import type { ModelTool } from '../ports.ts';
import { copySchema, type CopyLimits } from './provider-fit/copy-schema.ts';
import { foldRoot } from './provider-fit/fold-root.ts';
import { isObject, shortened } from './provider-fit/json.ts';
import { PropertyNames } from './provider-fit/property-names.ts';
import { providerRules } from './provider-fit/provider-rules.ts';

export interface ToolToFit {
  /** As the model calls it. */
  readonly name: string;
  readonly description: string;
  /** As the server sent it; anything at all. */
  readonly inputSchema: unknown;
}
export interface FittedTool {
  readonly tool: ModelTool;
  /** A model's arguments under the server's own property names, ready for the server's own schema. */
  readonly mapArguments: (args: JsonObject) => JsonObject;
}
export type ToolFit = ({ readonly kind: 'fits' } & FittedTool) | { readonly kind: 'set-aside'; readonly reason: string };

const notesLimit = 1500;
const sizeLimit = 64 * 1024;

/** From generous to bare: a schema that grows too large when unrolled is unrolled less. */
const attempts: readonly CopyLimits[] = [
  { repeats: 2, references: 32 },
  { repeats: 1, references: 16 },
  { repeats: 0, references: 8 },
  { repeats: 0, references: 4 },
  { repeats: 0, references: 2 },
];

type SchemaFit =
  | { readonly kind: 'fits'; readonly schema: JsonObject; readonly notes: readonly string[]; readonly names: PropertyNames }
  | { readonly kind: 'set-aside'; readonly reason: string };

/** By the schema itself, which nobody changes: each step of a run offers the same tools again. */
const known = new WeakMap<JsonObject, Map<ProviderKind, SchemaFit>>();

/**
 * One tool in the form that a provider takes, or the reason why there is none. Never throws, changes nothing that it is given, and takes
 * bounded time. Neither `$schema` nor that the arguments are closed is told to a model (F-106): the server's own schema judges them.
 */
export function fitTool(kind: ProviderKind, tool: ToolToFit): ToolFit {
  if (!/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(tool.name)) return aside('Its name cannot be used with a model');
  const root = tool.inputSchema === true ? {} : tool.inputSchema;
  if (!isObject(root)) return aside(root === false ? 'Its input schema allows no arguments at all' : 'Its input schema is not a schema');
  const fits = known.get(root) ?? new Map<ProviderKind, SchemaFit>();
  const fit = fits.get(kind) ?? fitSchema(kind, root);
  known.set(root, fits.set(kind, fit));
  if (fit.kind === 'set-aside') return fit;
  const { description: rootDescription, additionalProperties, ...inputSchema } = fit.schema;
  const words = tool.description.trim() || (typeof rootDescription === 'string' ? rootDescription : '') || tool.name;
  const notes = [...fit.notes, ...(isObject(additionalProperties) ? ['It takes properties of other names too.'] : [])];
  return {
    kind: 'fits',
    tool: { name: tool.name, description: described(words, notes, providerRules(kind).descriptionLimit), inputSchema },
    mapArguments: (args) => fit.names.original(args),
  };
}

function fitSchema(kind: ProviderKind, root: JsonObject): SchemaFit {
  const rules = providerRules(kind);
  for (const limits of attempts) {
    const names = new PropertyNames(rules.propertyName);
    const copied = copySchema(root, rules, names, limits);
    if (copied.kind === 'circular') return aside('Its input schema refers to itself in a circle');
    if (copied.kind === 'copied') {
      const folded = foldRoot(copied.schema);
      if (folded.kind === 'no-object') return aside(`Its input schema wants ${folded.wanted}, but arguments are always an object`);
      if (new TextEncoder().encode(JSON.stringify(folded.schema)).length <= sizeLimit) {
        return { kind: 'fits', schema: folded.schema, notes: [...folded.notes, ...copied.notes], names };
      }
    }
    if (!copied.unrolled) break;
  }
  return aside('Its input schema is larger than 64 KiB');
}

/**
 * As many tools as the provider and `limit` allow, in the order given. One tool that cannot be offered never keeps another from being
 * offered.
 */
export function fitTools(
  kind: ProviderKind,
  tools: readonly ToolToFit[],
  options: { readonly limit?: number } = {},
): { readonly offered: readonly FittedTool[]; readonly setAside: readonly { readonly name: string; readonly reason: string }[] } {
  const limit = Math.min(options.limit ?? Number.POSITIVE_INFINITY, providerRules(kind).toolLimit);
  const offered: FittedTool[] = [];
  const setAside: { name: string; reason: string }[] = [];
  const taken = new Set<string>();
  for (const tool of tools) {
    if (taken.has(tool.name)) setAside.push({ name: tool.name, reason: 'Another tool has the same name' });
    else if (offered.length >= limit) setAside.push({ name: tool.name, reason: `The model takes no more than ${limit} tools at once` });
    else {
      const fit = fitTool(kind, tool);
      if (fit.kind === 'set-aside') setAside.push({ name: tool.name, reason: fit.reason });
      else {
        taken.add(tool.name);
        offered.push({ tool: fit.tool, mapArguments: fit.mapArguments });
      }
    }
  }
  return { offered, setAside };
}

function aside(reason: string) {
  return { kind: 'set-aside', reason } as const;
}

/** The notes stand even when the server's own words are cut. */
function described(words: string, notes: readonly string[], limit: number): string {
  const told = shortened([...new Set(notes)].map((note) => `\n${note}`).join(''), Math.min(notesLimit, limit / 2));
  return `${shortened(words, limit - told.length)}${told}`;
}
