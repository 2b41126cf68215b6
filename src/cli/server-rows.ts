import type { ScopeEntry } from '../shared/ipc/contract/config.ts';
import type { ConfigValues } from '../shared/model/config-value.ts';
import type { ServerDefinition, TransportConfig } from '../shared/model/server-definition.ts';
import type { EntryState, Provenance, SourceView } from '../shared/model/source.ts';
import type { ServerRow } from '../shared/state/app-state.ts';
import { signInView, type SignInView } from './sign-in-view.ts';

/** One server in a listing (U-22). Holds no value of any secret. */
export interface ListedServer {
  readonly name: string;
  /** The label of the highest source that says anything of it. */
  readonly source: string;
  readonly state: EntryState;
  readonly transport?: TransportConfig['type'];
  readonly target?: string;
  /** `API_KEY:project secret`; `API_KEY:in the open` for text that stands in a file. */
  readonly secrets: readonly string[];
  readonly problem?: string;
  readonly signIn?: SignInView;
  readonly chain?: readonly ChainLink[];
}
/** One source's part in a server, lowest first. */
export interface ChainLink {
  readonly source: string;
  readonly line?: number;
  readonly column?: number;
  /** Fields that it decided. */
  readonly decides: readonly string[];
  readonly dropped: readonly string[];
}

/** How the person says where a server is. What looks secret was masked by the core. */
export function targetOf(transport: TransportConfig): string {
  switch (transport.type) {
    case 'stdio':
      return [transport.command, ...transport.args].map((word) => (/[\s"']/.test(word) || word === '' ? JSON.stringify(word) : word)).join(' ');
    case 'socket':
      return transport.path;
    default:
      return transport.url;
  }
}

const named = (values: ConfigValues): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    'secretRef' in value ? [`${name}:${value.scope} secret`] : 'literal' in value ? [`${name}:in the open`] : [],
  );

export function secretsOf({ transport, options: { bearerToken } }: ServerDefinition): readonly string[] {
  const values = transport.type === 'stdio' ? transport.env : transport.type === 'socket' ? {} : transport.headers;
  return [...named(values), ...(bearerToken === undefined ? [] : named({ bearerToken }))];
}

export interface Labels {
  readonly of: (sourceId: string) => string;
}
export function labelsOf(sources: readonly SourceView[]): Labels {
  const labels = new Map(sources.map(({ id, label, path }) => [id, path ?? label]));
  return { of: (id) => labels.get(id) ?? id };
}

const place = (at: { readonly line: number; readonly column: number } | undefined) => (at === undefined ? {} : { line: at.line, column: at.column });
export const chainOf = ({ chain, fields }: Provenance, labels: Labels): readonly ChainLink[] =>
  chain.map(({ source, place: at }) => {
    const decided = fields.filter((field) => field.source === source);
    return {
      source: labels.of(source), ...place(at),
      decides: decided.filter(({ dropped }) => dropped === undefined).map(({ field }) => field),
      dropped: decided.filter(({ dropped }) => dropped === true).map(({ field }) => field),
    };
  });

const defined = (definition: ServerDefinition) => ({ transport: definition.transport.type, target: targetOf(definition.transport), secrets: secretsOf(definition) });

/** Of what runs. */
export function effectiveRow(row: ServerRow, labels: Labels, chain: boolean): ListedServer {
  const { definition, provenance } = row;
  const signIn = signInView(row);
  return {
    name: definition.name, source: labels.of(provenance.source), state: provenance.state, ...defined(definition), ...(signIn ? { signIn } : {}),
    ...(chain ? { chain: chainOf(provenance, labels) } : {}),
  };
}

/** Of one scope's view. */
export function scopeRow({ name, state, definition, provenance, issues }: ScopeEntry, file: string, labels: Labels, chain: boolean): ListedServer {
  const problem = issues.find(({ severity }) => severity === 'error');
  return {
    name, state, source: provenance === undefined ? file : labels.of(provenance.source), ...(definition === undefined ? { secrets: [] } : defined(definition)),
    ...(problem === undefined ? {} : { problem: problem.line === undefined ? problem.message : `line ${problem.line}, column ${problem.column ?? 1}: ${problem.message}` }),
    ...(chain && provenance !== undefined ? { chain: chainOf(provenance, labels) } : {}),
  };
}

/** Of files that nobody has trusted: nothing of them counts yet. */
export const untrustedRows = (sources: readonly SourceView[]): readonly ListedServer[] =>
  sources
    .filter(({ status }) => status === 'untrusted')
    .flatMap(({ path, label, entries }) =>
      entries.map(({ name, state, target }) => ({ name, source: path ?? label, state, secrets: [], ...(target === undefined ? {} : { target }) })),
    );
