import { AppError } from '../../shared/errors.ts';
import type { ServerId } from '../../shared/ids.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import { SignIns, type SignInsDeps } from '../auth/sign-ins.ts';
import type { LaunchMaterial } from '../servers/launch-material.ts';
import type { ConnectionPool } from './pool.ts';
import { signInTarget, type SignInTargetDeps } from './sign-in-target.ts';
import { signInWay } from './sign-in-plan.ts';

export interface CreateSignInsDeps extends Omit<SignInsDeps, 'target' | 'way' | 'connect' | 'disconnect'> {
  readonly filling: Omit<SignInTargetDeps, 'material'>;
  /** By the id that its login is kept under. */
  readonly definition: (loginId: ServerId) => ServerDefinition | undefined;
  /** Those of it that can be connected: the person's own, or one in each run that has it. */
  readonly present: (loginId: ServerId) => readonly ServerDefinition[];
  readonly material: (serverId: ServerId) => LaunchMaterial | undefined;
  /** Later: it asks for sign-ins itself. */
  readonly pool: () => ConnectionPool;
}

/** Sign-ins of the servers that there are, over their connections. */
export function createSignIns({ filling, definition, present, material, pool, ...deps }: CreateSignInsDeps): SignIns {
  return new SignIns({
    ...deps,
    async target(serverId, signal) {
      const found = definition(serverId);
      if (!found) throw new AppError('server/not-found', 'There is no such server');
      const target = await signInTarget(found, { ...filling, material }, signal);
      if ('refused' in target) throw new AppError('auth/not-supported', `“${found.name}” is not signed in to: ${target.refused}`, { data: { server: found.name } });
      return target;
    },
    way: (serverId) => {
      const found = definition(serverId);
      const fields = found && material(found.id)?.fields;
      const way = fields && signInWay(fields);
      return typeof way === 'string' ? way : undefined;
    },
    async connect(serverId, signal) {
      await Promise.all(present(serverId).map((one) => connectAnew(one, pool(), signal)));
    },
    async disconnect(serverId, signal) {
      await Promise.all(present(serverId).map(({ id }) => pool().stop(id, 'asleep', signal)));
    },
  });
}

async function connectAnew({ id, enabled }: ServerDefinition, pool: ConnectionPool, signal: AbortSignal): Promise<void> {
  if (!enabled) return;
  // Whoever is signed in may see more than whoever is not.
  if (pool.state(id).phase === 'ready') return pool.look(id, { anew: true }, signal);
  await pool.start(id, signal);
  const state = pool.state(id);
  if (state.phase === 'needs' && state.what === 'sign-in') throw new AppError('auth/sign-in-required', state.message);
  if (state.phase === 'failed' && state.failure.code.startsWith('auth/')) throw new AppError(state.failure.code, state.failure.message);
}
