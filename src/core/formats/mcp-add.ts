/** What `claude mcp add`, `codex mcp add`, `gemini mcp add` and their like say. Fields by the names of Gatehouse's files. */
export type AddedServer =
  | { readonly name: string | undefined; readonly fields: AddedFields }
  | { readonly name: string; readonly json: string }
  | { readonly problem: string };
export interface AddedFields {
  readonly type?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly url?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly bearerTokenEnv?: string;
  readonly requestTimeoutMs?: number;
  readonly includeTools?: readonly string[];
  readonly excludeTools?: readonly string[];
  readonly oauth?: { readonly clientId?: string; readonly callbackPort?: number };
}

type Pairs = readonly (readonly [string, string])[];
/** Options that say nothing that is kept: where that client saves it, and what it lets run unasked. */
const dropped = /^(?:-s|--scope|--description|--client-secret)$/;
const flags = /^(?:--trust|--client-secret|--no-browser|--verbose|--debug|-d)$/;

/** `words` start after `mcp`. Options count until `--`, or until a word that looks like an option and is none: from there on all is the server's. */
export function parseMcpAdd(words: readonly string[], client: string): AddedServer {
  const [verb, ...rest] = words;
  if (verb === 'add-json') return addJson(rest);
  if (verb !== 'add') return { problem: `“${client} mcp ${verb ?? ''}” adds no server` };
  const given: { -readonly [K in keyof AddedFields]: AddedFields[K] } = {};
  const env: [string, string][] = [];
  const headers: [string, string][] = [];
  const positional: string[] = [];
  let at = 0;
  const next = () => rest[++at] ?? '';
  for (; at < rest.length; at++) {
    const word = rest[at] ?? '';
    if (word === '--') {
      positional.push(...rest.slice(at + 1));
      break;
    }
    const [name = word, inline] = word.startsWith('--') && word.includes('=') ? splitOnce(word, '=') : [word, undefined];
    const value = () => inline ?? next();
    if (!word.startsWith('-')) positional.push(word);
    else if (name === '-t' || name === '--transport') given.type = value();
    else if (name === '-e' || name === '--env') {
      env.push(splitOnce(value(), '='));
      // Commander takes all that follow.
      while (/^[A-Za-z_]\w*=/.test(rest[at + 1] ?? '')) env.push(splitOnce(next(), '='));
    } else if (name === '-H' || name === '--header') {
      headers.push(header(value()));
      while (/^[A-Za-z][\w-]*:\s/.test(rest[at + 1] ?? '')) headers.push(header(next()));
    } else if (name === '--url') given.url = value();
    else if (name === '--bearer-token-env-var') given.bearerTokenEnv = value();
    else if (name === '--client-id') given.oauth = { ...given.oauth, clientId: value() };
    else if (name === '--callback-port') given.oauth = { ...given.oauth, callbackPort: Number(value()) };
    else if (name === '--timeout') given.requestTimeoutMs = Number(value());
    else if (name === '--cwd') given.cwd = value();
    else if (name === '--include-tools') given.includeTools = list(value());
    else if (name === '--exclude-tools') given.excludeTools = list(value());
    else if (flags.test(name)) continue;
    else if (dropped.test(name)) value();
    else if (positional.length >= 2) {
      positional.push(...rest.slice(at));
      break;
    } else return { problem: `“${client} mcp add” has an option that is not known: ${name}` };
  }
  return finish(positional, given, env, headers, client);
}

function finish(positional: readonly string[], given: AddedFields, env: Pairs, headers: Pairs, client: string): AddedServer {
  const [name, target, ...args] = positional;
  const { url: own, ...rest } = given;
  const remote = given.type === undefined ? /^https?:\/\//i.test(target ?? '') : /^(?:sse|http|streamable)/i.test(given.type);
  const url = own ?? (remote ? target : undefined);
  if (name === undefined || (target ?? url) === undefined) return { problem: `“${client} mcp add” needs a name, and a command or an address` };
  const way = url === undefined ? { command: target ?? '', args } : { url };
  const values = { ...(env.length > 0 ? { env: Object.fromEntries(env) } : {}), ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}) };
  return { name, fields: { ...rest, ...way, ...values } };
}

/** `claude mcp add-json NAME '{…}'` */
function addJson(words: readonly string[]): AddedServer {
  const positional: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (dropped.test(word) && word !== '--client-secret') at++;
    else if (!word.startsWith('-')) positional.push(word);
  }
  const [name, json] = positional;
  return name === undefined || json === undefined ? { problem: '“mcp add-json” needs a name and JSON' } : { name, json };
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
function header(text: string): [string, string] {
  const [name, value] = splitOnce(text, ':');
  return [name.trim(), value.trim()];
}
const list = (text: string): readonly string[] => text.split(',').map((part) => part.trim()).filter((part) => part !== '');
