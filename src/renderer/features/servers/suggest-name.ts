import type { ServerForm } from './server-form-model.ts';

/** A name for a server that has none yet, from what its package, program, host or socket is called. Empty when nothing says it. */
export function suggestName(form: Pick<ServerForm, 'type' | 'command' | 'args' | 'url' | 'path'>): string {
  switch (form.type) {
    case 'stdio':
      return clean(programOf([form.command, ...form.args.map((row) => row.text)]));
    case 'streamable-http':
    case 'sse':
      return URL.canParse(form.url) ? hostWord(new URL(form.url).hostname) : '';
    case 'socket':
      return clean(lastPart(form.path));
  }
}

const runners = /^(npx|bunx|uvx|pnpm|yarn|npm|bun|deno|uv|pipx|node|python3?|docker|podman|run|exec|dlx|tool|x)(\.exe|\.cmd)?$/i;

/** The first word that is neither a runner nor an option: `npx -y @scope/server-git --repo .` runs `@scope/server-git`. */
function programOf(words: readonly string[]): string {
  const candidates = words.map((word) => word.trim()).filter((word) => word !== '' && !word.startsWith('-'));
  return candidates.find((word) => !runners.test(lastPart(word))) ?? candidates[0] ?? '';
}

const partsOf = (path: string): readonly string[] => path.split(/[\\/]/).filter((part) => part !== '');
const lastPart = (path: string): string => partsOf(path).at(-1) ?? '';
const withoutEnding = (part: string): string => part.replace(/\.(mjs|cjs|js|ts|py|sh|exe|cmd|bat|sock)$/i, '');
/** What many programs call their parts: it is the folder above that has the name. */
const saysNothing = /^(index|main|server|app|cli|mod|run|start|dist|build|out|lib|src|bin)$/i;

function clean(name: string): string {
  const parts = partsOf(name.replace(/(?<=.)@[^/@]*$/, '')).map(withoutEnding);
  const base = parts.findLast((part) => !saysNothing.test(part)) ?? parts.at(-1) ?? '';
  const short = base.replace(/^(mcp[-_])?server[-_]|^mcp[-_]/i, '').replace(/[-_]mcp([-_]server)?$|[-_]server$/i, '');
  return (short === '' ? base : short).slice(0, 100);
}

function hostWord(host: string): string {
  if (host === 'localhost' || /^[\d.]+$/.test(host) || host.startsWith('[')) return 'local';
  const parts = host
    .split('.')
    .slice(0, -1)
    .filter((part) => !/^(www|mcp|api|co|com)$/.test(part));
  return parts.at(-1) ?? host;
}
