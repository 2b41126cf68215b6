import type { RawField, RawFields, RawValues } from '../formats/raw-entry.ts';

const credentials: readonly RawField[] = ['headers', 'bearerToken', 'bearerTokenEnv', 'oauth', 'auth'];
const stdioFields: readonly RawField[] = ['command', 'args', 'cwd', 'env', 'envFile'];
const httpFields: readonly RawField[] = ['url', 'type', ...credentials];

/** Variables that make a program run other code: setting one is changing what is launched. */
const loaders = /^(NODE_OPTIONS|NODE_PATH|LD_.*|DYLD_.*|PYTHON(STARTUP|PATH|HOME|INSPECT)|PERL5(OPT|LIB)|RUBY(OPT|LIB)|(JAVA_TOOL|_JAVA|JDK_JAVA)_OPTIONS|BASH_ENV|ENV|PATH|PATHEXT|GIT_SSH(_COMMAND)?|npm_config_.*)$/i;
export const loaderNames = (env: RawValues | undefined): readonly string[] => Object.keys(env ?? {}).filter((name) => loaders.test(name));

/**
 * Which inherited fields a higher layer takes away without naming them. Every layer: another way of reaching the server leaves nothing of the old
 * way, and another url drops what was meant for the old one (F-4). A project's layer also loses all inherited environment, headers and credentials by
 * changing what is launched, contacted or signed in to: else it could send them to a program or a host of its own (decisions, section 2).
 */
export function withoutForeign(below: RawFields, above: RawFields, project: boolean): readonly RawField[] {
  const gone = new Set<RawField>();
  const drop = (fields: readonly RawField[]) => {
    for (const field of fields) if (Object.hasOwn(below, field)) gone.add(field);
  };
  if (above.socket !== undefined) drop([...stdioFields, ...httpFields]);
  if (above.command !== undefined) drop(['socket', ...httpFields]);
  if (above.url !== undefined) drop(['socket', ...stdioFields]);
  if (above.url !== undefined && above.url !== below.url) {
    drop(['type', 'headers', 'bearerToken', 'bearerTokenEnv']);
    if (below.oauth !== false) drop(['oauth']);
  }
  // Arguments of another program are not its own.
  if (above.command !== undefined && above.command !== below.command) drop(['args']);
  if (project && redirects(below, above)) drop(['env', 'envFile', ...credentials]);
  return [...gone];
}

function redirects(below: RawFields, above: RawFields): boolean {
  const launch: readonly RawField[] = ['command', 'args', 'cwd', 'url', 'socket', 'envFile'];
  if (launch.some((field) => above[field] !== undefined && !same(above[field], below[field]))) return true;
  if (above.oauth !== undefined && !same(above.oauth, below.oauth)) return true;
  const set = loaderNames(above.env);
  return set.some((name) => !same(above.env?.[name], below.env?.[name]));
}
const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
