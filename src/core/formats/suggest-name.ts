import { ServerName } from '../../shared/model/server-definition.ts';

const options: ReadonlySet<string> = new Set([
  '-y', '--yes', '-q', '--quiet', '--silent', '-i', '--interactive', '-t', '--tty', '-it', '-ti', '--rm', '--init', '--no-install', '--prefer-offline', '--offline', '--bun', '-u', '-B',
]);
/** Options of runners whose next word is theirs; of these, `--from` and `--package` name what is run when nothing else does. */
const valued: ReadonlySet<string> = new Set([
  '-p', '--package', '--from', '--python', '--with', '--index-url', '--registry', '--directory', '--project', '-e', '--env', '--env-file', '-v', '--volume', '--mount',
  '--network', '--net', '-w', '--workdir', '--name', '--entrypoint', '--platform', '--pull', '-l', '--label', '--add-host', '--user', '--publish', '-m', '--memory',
  '--cpus', '--security-opt', '--cap-add', '--cap-drop', '--gpus', '-c', '--config',
]);
/** Programs that start another, after these words of theirs. */
const withVerbs: ReadonlySet<string> = new Set(['docker', 'podman', 'pnpm', 'yarn', 'npm', 'bun', 'uv', 'pipx', 'deno', 'go', 'dotnet']);
const runners: ReadonlySet<string> = new Set([
  ...withVerbs, 'npx', 'bunx', 'pnpx', 'uvx', 'node', 'tsx', 'python', 'python3', 'py', 'sh', 'bash',
]);

/** A name for a server that has none, from what it runs. */
export function nameFromCommand(command: string, args: readonly string[]): string {
  const program = lastPart(command).replace(/\.(?:exe|cmd|bat|sh)$/i, '').toLowerCase();
  if (program === 'cmd' && /^\/[cC]$/.test(args[0] ?? '')) return nameFromCommand(args[1] ?? '', args.slice(2));
  const rest = withVerbs.has(program) ? withoutVerbs(args) : args;
  if (runners.has(program)) {
    const what = positional(rest);
    if (what !== undefined) return tidy(what);
  }
  return tidy(command);
}

/** From an address: the name of its host, without what every host has. */
export function nameFromUrl(url: string): string {
  const host = /^https?:\/\/(?:[^@/]*@)?([^/:?#]+)/i.exec(url)?.[1]?.toLowerCase() ?? '';
  if (host === 'localhost' || /^[\d.]+$/.test(host) || host.startsWith('[')) return usable(host.startsWith('[') ? 'local' : host.replaceAll('.', '-'));
  const parts = host.split('.').filter((part) => !['www', 'mcp', 'api', 'app', 'server', 'sse'].includes(part));
  const bare = parts.length > 1 ? parts.slice(0, -1) : parts;
  return usable(bare.filter((part) => !['com', 'co', 'org', 'net'].includes(part)).at(-1) ?? host);
}

function withoutVerbs(args: readonly string[]): readonly string[] {
  const at = args.findIndex((arg) => !/^(?:run|exec|dlx|tool|x|mcp|container|create|-A|--allow-all)$/.test(arg));
  return at === -1 ? [] : args.slice(at);
}

function positional(args: readonly string[]): string | undefined {
  let fallback: string | undefined;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (options.has(arg)) continue;
    if (arg === '-m') return args[at + 1];
    if (valued.has(arg)) {
      at++;
      if (/^(?:-p|--package|--from)$/.test(arg)) fallback = args[at];
      continue;
    }
    const given = /^(?:--package|--from)=(.+)$/.exec(arg)?.[1];
    if (given !== undefined) fallback = given;
    if (arg.startsWith('-')) continue;
    return arg;
  }
  return fallback;
}

const lastPart = (path: string): string => path.split(/[/\\]/).findLast((part) => part !== '') ?? path;

/** `@modelcontextprotocol/server-filesystem@1.2` is `filesystem`. */
function tidy(what: string): string {
  const scope = /^@([^/]+)\//.exec(what)?.[1];
  const source = what.replace(/^git\+/, '').replace(/\.git(?:@.*)?$/, '');
  const image = source.replace(/[@:](?:sha256:)?[\w.^~*-]*$/, (version, at: number) => (at > 0 ? '' : version));
  const part = lastPart(image).replace(/\.(?:js|mjs|cjs|ts|py|exe|cmd|bat|sh|jar|dll)$/i, '').replace(/\[.*\]$/, '');
  const short = part.replace(/^(?:mcp-server-|server-|mcp-)/i, '').replace(/(?:[-_]mcp[-_]server|[-_]server[-_]mcp|[-_]mcp|[-_]server)$/i, '');
  if (!/^(?:|mcp|server|index|main|start|dist|build|src)$/i.test(short)) return usable(short);
  return usable(scope ?? (/^(?:index|main|start)$/i.test(part) ? parentOf(what) : part));
}

const parentOf = (path: string): string =>
  path.split(/[/\\]/).slice(0, -1).findLast((part) => !/^(?:|\.|dist|build|src|bin|lib)$/.test(part)) ?? 'server';

function usable(name: string): string {
  const clean = name.replace(/[^\p{L}\p{N}._ -]+/gu, '-').replace(/^[-. ]+|[-. ]+$/g, '').slice(0, 100);
  const parsed = ServerName.safeParse(clean);
  return parsed.success ? parsed.data : 'server';
}
