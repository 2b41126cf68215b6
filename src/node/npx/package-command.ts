import { basename } from 'node:path';

/** A command line that runs the program of one package of a registry. */
export interface PackageCommand {
  /** As npm takes it: `@scope/name@^1.2`. */
  readonly spec: string;
  readonly name: string;
  /** What of it is wanted. `any` also for no version and for `latest`, which is looked for anew after a day. */
  readonly wanted: { readonly kind: 'any' | 'latest' } | { readonly kind: 'exact'; readonly version: string } | { readonly kind: 'range' };
  /** The program by name; the package's main one when absent. */
  readonly bin?: string;
  readonly args: readonly string[];
}

/** `npx [-y] [-p pkg] spec …` and `npm exec [-y] --package pkg -- bin …` (F-176). Any other flag or form is not ours. */
export function readPackageCommand(command: string, args: readonly string[]): PackageCommand | undefined {
  const program = basename(command.replaceAll('\\', '/')).replace(/\.(cmd|exe|ps1)$/i, '');
  if (program === 'npx') return readNpx(args);
  return program === 'npm' && (args[0] === 'exec' || args[0] === 'x') ? readNpmExec(args.slice(1)) : undefined;
}

interface Flags {
  readonly packages: readonly string[];
  readonly rest: readonly string[];
}

function readNpx(args: readonly string[]): PackageCommand | undefined {
  const flags = readFlags(args);
  if (!flags) return undefined;
  const [first, ...rest] = flags.rest[0] === '--' ? flags.rest.slice(1) : flags.rest;
  if (first === undefined || first.startsWith('-')) return undefined;
  const [named, ...more] = flags.packages;
  if (more.length > 0) return undefined;
  return named === undefined ? commandOf(first, undefined, rest) : commandOf(named, first, rest);
}

function readNpmExec(args: readonly string[]): PackageCommand | undefined {
  const flags = readFlags(args);
  const [named, ...more] = flags?.packages ?? [];
  if (!flags || named === undefined || more.length > 0 || flags.rest[0] !== '--') return undefined;
  const [bin, ...rest] = flags.rest.slice(1);
  return bin === undefined ? undefined : commandOf(named, bin, rest);
}

/** Up to the first word that is no flag, or `--`. */
function readFlags(args: readonly string[]): Flags | undefined {
  const packages: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (!arg.startsWith('-') || arg === '--') return { packages, rest: args.slice(at) };
    if (arg === '-y' || arg === '--yes') continue;
    const given = /^(?:-p|--package)(?:=(.*))?$/s.exec(arg);
    if (!given) return undefined;
    const value = given[1] ?? args[(at += 1)];
    if (value === undefined || value === '') return undefined;
    packages.push(value);
  }
  return { packages, rest: [] };
}

const exactVersion = /^v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)(?:\+[0-9A-Za-z.-]+)?$/;

/** Folders, addresses, aliases and git are npm's own business. */
function commandOf(spec: string, bin: string | undefined, args: readonly string[]): PackageCommand | undefined {
  const parts = /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(?:@([^:/\\]*))?$/i.exec(spec);
  const name = parts?.[1];
  if (name === undefined) return undefined;
  const asked = parts?.[2] ?? '';
  const version = exactVersion.exec(asked)?.[1];
  const wanted =
    version !== undefined ? { kind: 'exact' as const, version } : { kind: asked === '' ? ('any' as const) : asked === 'latest' ? ('latest' as const) : ('range' as const) };
  return { spec, name, wanted, ...(bin === undefined ? {} : { bin }), args };
}
