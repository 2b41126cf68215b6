import { secretIdOf } from '../core/secrets/secret-id.ts';
import type { ConfigScope, SecretReference } from '../shared/model/config-value.ts';
import { SecretKey } from '../shared/model/config-value.ts';
import { CliError } from './cli-error.ts';
import { oneLine } from './output.ts';
import type { Session } from './session.ts';

/** Names a secret that exists: by its id in the vault, then by its key, in the given scope (U-21). */
export async function findSecret({ client, project, signal }: Session, named: string, scope: ConfigScope): Promise<SecretReference> {
  const there = (await client.request('secrets.list', undefined, signal)).filter((entry) => entry.scope === scope && !entry.missing);
  const found = there.find(({ key }) => idOf(scope, key, project) === named) ?? there.find(({ key }) => key === named);
  if (!found) {
    throw new CliError(`There is no ${scope} secret with the id or key “${oneLine(named)}”.`, {
      hint: 'Use `gatehouse secrets list` to see what there is, or `gatehouse secrets set` to store it.',
    });
  }
  return { secretRef: SecretKey.parse(found.key), scope };
}

function idOf(scope: ConfigScope, key: SecretKey, project: string | undefined): string | undefined {
  return scope === 'project' && project === undefined ? undefined : secretIdOf(scope, key, project);
}
