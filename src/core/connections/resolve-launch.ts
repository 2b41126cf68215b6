import { AppError } from '../../shared/errors.ts';
import type { ConfigValue, ServerDefinition } from '../../shared/model/server-definition.ts';
import type { BuiltInServers, Vault } from '../ports.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { whichBuiltIn } from '../servers/which-built-in.ts';
import type { ReadyLaunch } from './session.ts';

export interface ResolveLaunchDeps {
  readonly vault: Vault;
  readonly redactor: Redactor;
  readonly builtInServers: BuiltInServers;
  readonly project: () => string | undefined;
}

/**
 * The only way from a definition to a launch: switched on, then secrets filled. Throws `server/disabled`, `project/needed`, `secret/missing`
 * (with the name of the value, never a value) or `vault/*`. A launch with a secret missing is never made.
 */
export async function resolveLaunch(definition: ServerDefinition, deps: ResolveLaunchDeps, signal: AbortSignal): Promise<ReadyLaunch> {
  if (!definition.enabled) throw new AppError('server/disabled', `“${definition.name}” is switched off`);
  const builtIn = whichBuiltIn(definition);
  if (builtIn) return { type: 'stdio', launch: deps.builtInServers.launch(builtIn, deps.project()) };
  const { transport } = definition;
  switch (transport.type) {
    case 'stdio': {
      const env = await fill(definition, 'env', transport.env, deps, signal);
      return { type: 'stdio', launch: { command: transport.command, args: transport.args, env, ownRuntime: false, ...(transport.cwd === undefined ? {} : { cwd: transport.cwd }) } };
    }
    case 'streamable-http':
    case 'sse':
      return { type: transport.type, url: transport.url, headers: await fill(definition, 'headers', transport.headers, deps, signal) };
    case 'socket':
      return { type: 'socket', path: transport.path };
  }
}

async function fill(definition: ServerDefinition, field: string, values: Readonly<Record<string, ConfigValue>>, deps: ResolveLaunchDeps, signal: AbortSignal): Promise<Record<string, string | Secret>> {
  const filled: Record<string, string | Secret> = {};
  for (const [key, value] of Object.entries(values)) {
    if ('plain' in value) {
      filled[key] = value.plain;
      continue;
    }
    const secret = await deps.vault.get(value.secretRef, definition.id, signal);
    if (!secret) throw new AppError('secret/missing', `The value of ${key} is not in the vault`, { data: { server: definition.name, field, key, secretRef: value.secretRef } });
    deps.redactor.register(secret);
    filled[key] = secret;
  }
  return filled;
}
