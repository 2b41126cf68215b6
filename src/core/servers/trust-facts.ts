import type { TrustFact, TrustRuns, TrustServer } from '../../shared/model/project-trust.ts';
import type { RunLayer } from '../../shared/model/run-layer.ts';
import { literalsOf, mask, maskFields } from '../formats/literals.ts';
import { lazyValuesOf, openTextsOf } from '../formats/oauth-values.ts';
import type { RawEntry, RawFields, RawOAuth, RawValue } from '../formats/raw-entry.ts';
import { secretSpans } from '../formats/secret-text.ts';
import { allPieces, parseTemplate } from '../secrets/variables.ts';
import type { ReadSource } from './config-sources.ts';
import { commandLine } from './launch-revision.ts';
import { loaderNames } from './credential-rule.ts';

/** What was trusted, or would be: kept in the home to say later what changed. No values are in it. */
export interface TrustedServer {
  readonly name: string;
  readonly file: string;
  readonly facts: readonly TrustFact[];
}

export type TrustedRuns = Omit<TrustedServer, 'name'>;

/** Everything that the project's files would run, contact, read or name. */
export const trustedServers = (project: string, sources: readonly ReadSource[]): readonly TrustedServer[] =>
  sources.flatMap(({ source, parsed }) => parsed.entries.map((entry) => ({ name: entry.name, file: relative(project, source.path ?? source.label), facts: factsOf(entry) })));

/** What every run would be set to, by each file that says something of it. */
export const trustedRuns = (project: string, sources: readonly ReadSource[]): readonly TrustedRuns[] =>
  sources.flatMap(({ source, parsed: { run } }) => {
    const facts = run ? runFacts(run) : [];
    return facts.length === 0 ? [] : [{ file: relative(project, source.path ?? source.label), facts }];
  });

/** A text may quote a key; all else of it is shown, since models read it as the person's own words. */
function runFacts({ runner = {}, tools, mcp }: RunLayer): readonly TrustFact[] {
  const said = Object.entries(runner).flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${masked(String(value))}`]));
  const allowed = tools?.allow === undefined ? [] : [`tools.allow: ${tools.allow.length === 0 ? '–' : tools.allow.join(', ')}`];
  return [...said, ...allowed, ...(mcp === undefined ? [] : [`mcp: ${String(mcp)}`])].map((text) => ({ kind: 'run', text }));
}
const masked = (text: string): string => secretSpans(text).reduceRight((shown, { start, end }) => shown.slice(0, start) + mask + shown.slice(end), text);

export const relative = (project: string, path: string): string => (path.startsWith(project) ? path.slice(project.length).replace(/^[\\/]+/, '') : path);

function factsOf({ name, fields }: RawEntry): readonly TrustFact[] {
  const shown = maskFields(fields);
  const facts: TrustFact[] = [];
  const add = (kind: TrustFact['kind'], text: string | undefined) => {
    if (text !== undefined) facts.push({ kind, text });
  };
  if (shown.command !== undefined) add('command', commandLine(shown.command, shown.args ?? []));
  else if (shown.args) add('command', `… ${commandLine('', shown.args).trim()}`);
  add('folder', shown.cwd);
  add('address', shown.url);
  add('socket', shown.socket);
  const loaders = new Set(loaderNames(fields.env));
  for (const [key, value] of Object.entries(fields.env ?? {})) add('environment', loaders.has(key) && typeof value === 'string' ? `${key}=${value}` : (filledIn(shown.env?.[key], value, (text) => `${key}=${text}`) ?? key));
  add('env-file', shown.envFile);
  for (const [key, value] of Object.entries(fields.headers ?? {})) add('headers', filledIn(shown.headers?.[key], value, (text) => `${key}: ${text}`) ?? key);
  if (fields.bearerToken !== undefined) add('headers', filledIn(shown.bearerToken, fields.bearerToken, (text) => `Authorization: Bearer ${text}`) ?? 'Authorization');
  add('environment', fields.bearerTokenEnv === undefined ? undefined : `${fields.bearerTokenEnv} (as bearer token)`);
  if (fields.oauth) {
    add('sign-in', [fields.oauth.clientId, fields.oauth.crossAppAccess?.idpUrl, fields.oauth.grantType].filter((part) => part !== undefined).join(' ') || 'OAuth');
    const masked = new Map(shown.oauth ? textsOf(shown.oauth) : []);
    for (const [path, value] of textsOf(fields.oauth)) add('sign-in', filledIn(masked.get(path), value, (text) => `${path}: ${text}`));
  }
  for (const [field, value] of valuesOf(fields)) {
    if (typeof value === 'string' && value.startsWith('!') && !value.startsWith('!!')) add('secret-command', `${field}: ${value.slice(1)}`);
    if (typeof value === 'object' && 'secretRef' in value) add('secret', `${value.scope} ${value.secretRef}`);
  }
  if (fields.enabled !== undefined) add('switch', fields.enabled ? 'on' : 'off');
  // An entry of options alone still says that it is there, and that it holds plain secrets.
  if (facts.length === 0 && literalsOf(name, fields, 'project').length === 0) add('switch', 'options only');
  return facts;
}

const textsOf = (oauth: RawOAuth): readonly (readonly [string, RawValue])[] => [...openTextsOf(oauth), ...lazyValuesOf(oauth)];

/** Which of the person's variables go where: a value that takes them in is shown as it stands, and only its variables where it holds a secret beside them. */
function filledIn(shown: RawValue | undefined, value: RawValue, text: (value: string) => string): string | undefined {
  const taken = namesIn(value);
  if (taken.length === 0) return undefined;
  return text(typeof shown === 'string' && namesIn(shown).length > 0 ? shown : taken.join(' '));
}

function namesIn(value: RawValue): readonly string[] {
  if (typeof value !== 'string' || (value.startsWith('!') && !value.startsWith('!!'))) return [];
  return allPieces(parseTemplate(value)).flatMap((piece) => (piece.kind === 'text' ? [] : [piece.kind === 'variable' ? `\${${piece.name}}` : piece.written]));
}

function valuesOf(fields: RawFields): readonly (readonly [string, RawValue])[] {
  const oauth = fields.oauth === false ? undefined : fields.oauth;
  return [
    ...Object.entries(fields.env ?? {}).map(([key, value]) => [`env.${key}`, value] as const),
    ...Object.entries(fields.headers ?? {}).map(([key, value]) => [`headers.${key}`, value] as const),
    ...(fields.bearerToken === undefined ? [] : [['bearerToken', fields.bearerToken] as const]),
    ...(oauth ? lazyValuesOf(oauth) : []).map(([path, value]) => [`oauth.${path}`, value] as const),
  ];
}

/** Against what was trusted before: what is new, changed, the same, and gone. */
export function compared(now: readonly TrustedServer[], before: readonly TrustedServer[]): readonly TrustServer[] {
  const key = ({ file, name }: TrustedServer) => `${file}\0${name}`;
  const known = new Map(before.map((server) => [key(server), server]));
  const present = new Set(now.map(key));
  return [
    ...now.map((server): TrustServer => {
      const old = known.get(key(server));
      if (!old) return { ...server, change: 'new' };
      return JSON.stringify(old.facts) === JSON.stringify(server.facts) ? { ...server, change: 'same' } : { ...server, change: 'changed', before: old.facts };
    }),
    ...before.filter((server) => !present.has(key(server))).map((server): TrustServer => ({ name: server.name, file: server.file, facts: [], change: 'removed', before: server.facts })),
  ];
}

export const comparedRuns = (now: readonly TrustedRuns[], before: readonly TrustedRuns[]): readonly TrustRuns[] => {
  const unnamed = (all: readonly TrustedRuns[]) => all.map((runs) => ({ name: '', ...runs }));
  return compared(unnamed(now), unnamed(before)).map(({ name: _none, ...runs }) => runs);
};
