import { Option, type Command } from 'commander';
import type { DraftValue, ConfigScope } from '../shared/model/config-value.ts';
import { ConfigScope as Scopes } from '../shared/model/config-value.ts';
import { argumentList, many, pairs, scopeOption, withCommon } from './options.ts';
import { findSecret } from './secret-lookup.ts';
import type { CommonOptions, Session } from './session.ts';

export const transports = ['stdio', 'sse', 'streamable-http', 'http', 'socket'] as const;
export interface ServerFlags extends CommonOptions {
  readonly scope: ConfigScope;
  readonly transport?: (typeof transports)[number];
  readonly command?: string;
  readonly arg?: readonly string[];
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly url?: string;
  readonly socket?: string;
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly secretScope?: ConfigScope;
  readonly secretRef?: string;
  readonly createSecretEnv?: readonly string[];
  readonly createSecretHeader?: readonly string[];
  readonly enabled?: boolean;
  readonly disabled?: boolean;
}

/** U-23's flags, for `add` and `edit` alike. */
export function withServerFlags(command: Command): Command {
  return withCommon(command)
    .addOption(scopeOption('project'))
    .addOption(new Option('--transport <transport>', '`http` is streamable-http').choices(transports))
    .option('--command <command>', 'the program to start (stdio)')
    .option('--arg <argument>', 'an argument of it; may be given more than once', many)
    .option('--args <list>', 'all arguments: a JSON array, or a list with commas', argumentList)
    .option('--cwd <folder>', 'the folder to start it in')
    .option('--url <url>', 'the address (sse, streamable-http)')
    .option('--socket <path>', 'the Unix socket or named pipe')
    .option('--env <NAME=secret>', 'an environment variable from a secret that exists, by its id or key; may be given more than once', many)
    .option('--header <NAME=secret>', 'a header from a secret that exists; may be given more than once', many)
    .addOption(new Option('--secret-scope <scope>', 'where --env, --header and --secret-ref look; the scope of the server unless given').choices(Scopes.options))
    .option('--secret-ref <secret>', 'the one secret that it needs: TOKEN for stdio, Authorization otherwise')
    .option('--create-secret-env <NAME=value>', 'store the value as a new secret for an environment variable (it stays in the shell\'s history)', many)
    .option('--create-secret-header <NAME=value>', 'store the value as a new secret for a header (it stays in the shell\'s history)', many)
    .option('--enabled', 'switched on')
    .addOption(new Option('--disabled', 'switched off').conflicts('enabled'));
}

/** A usage that makes no sense is told before anything is opened or stored. */
export function checkPairs(command: Command, { env, header, createSecretEnv, createSecretHeader }: ServerFlags): void {
  pairs(command, '--env', env);
  pairs(command, '--header', header);
  pairs(command, '--create-secret-env', createSecretEnv);
  pairs(command, '--create-secret-header', createSecretHeader);
}

/** Environment or headers that the flags give; `undefined` when they give none. Looks up every secret before anything is stored. */
export async function flaggedValues(
  session: Session, command: Command, flags: ServerFlags, kind: 'env' | 'headers',
): Promise<Readonly<Record<string, DraftValue>> | undefined> {
  const env = kind === 'env';
  const scope = flags.secretScope ?? flags.scope;
  const bound = pairs(command, env ? '--env' : '--header', env ? flags.env : flags.header);
  const created = pairs(command, env ? '--create-secret-env' : '--create-secret-header', env ? flags.createSecretEnv : flags.createSecretHeader);
  if (created.length > 0) {
    session.remark('A value on the command line stays in the history of the shell, and other programs can see it while this one runs. `gatehouse secrets set` asks for it instead.');
  }
  // Alone, it is the one that such a server usually wants (U-25).
  const only = flags.secretRef !== undefined && bound.length === 0 ? [{ name: env ? 'TOKEN' : 'Authorization', value: flags.secretRef }] : [];
  const values: Record<string, DraftValue> = {};
  for (const { name, value } of [...only, ...bound]) values[name] = await findSecret(session, value, scope);
  for (const { name, value } of created) values[name] = { secret: value };
  return Object.keys(values).length === 0 ? undefined : values;
}

/** What the flags say of being on; `undefined` when nothing. */
export const flaggedSwitch = ({ enabled, disabled }: ServerFlags): boolean | undefined => (enabled ? true : disabled ? false : undefined);

/** `--args`, then every `--arg`; `undefined` when there is neither. */
export const flaggedArguments = ({ args, arg }: ServerFlags): readonly string[] | undefined =>
  args === undefined && arg === undefined ? undefined : [...(args ?? []), ...(arg ?? [])];
