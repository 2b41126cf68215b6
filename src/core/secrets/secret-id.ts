import { AppError } from '../../shared/errors.ts';
import { SecretId } from '../../shared/ids.ts';
import { SecretKey, type ConfigScope } from '../../shared/model/config-value.ts';
import { hashOf } from '../kernel/hash.ts';

const ofProject = /^project\.[0-9a-f]{12}\./;
/** Keys of model providers, and logins of servers: they live in the same vault, and have owners of their own. */
const ofSettings = /^(model|oauth)\./;

/** What a project's secrets begin with in the vault: nothing of a project can name those of another. */
export const projectPrefix = (project: string): string => `project.${hashOf(project).slice(0, 12)}.`;

/**
 * The vault's name for a secret of a scope. Throws `project/needed` for a project's secret without a project, and `request/invalid` for a key that
 * is too long, or reads like a project's, a model provider's or a login's: a server's file could name that one, and a new secret replace it.
 */
export function secretIdOf(scope: ConfigScope, key: SecretKey, project: string | undefined): SecretId {
  if (scope === 'global') {
    if (ofProject.test(key) || ofSettings.test(key)) throw new AppError('request/invalid', `“${key}” is no name of a global secret`, { data: { key, scope } });
    return key;
  }
  if (project === undefined) throw new AppError('project/needed', `The secret ${key} belongs to a project, and none is open`, { data: { key, scope } });
  const id = SecretId.safeParse(projectPrefix(project) + key);
  if (!id.success) throw new AppError('request/invalid', `The name “${key}” is too long`, { data: { key, scope } });
  return id.data;
}

/** The key and scope that an id of the vault stands for, with this project open; `undefined` for what is another project's or no secret of a person. */
export function secretNameOf(id: SecretId, project: string | undefined): { readonly key: SecretKey; readonly scope: ConfigScope } | undefined {
  if (ofSettings.test(id)) return undefined;
  if (!ofProject.test(id)) return { key: id, scope: 'global' };
  const prefix = project === undefined ? undefined : projectPrefix(project);
  if (prefix === undefined || !id.startsWith(prefix)) return undefined;
  const key = SecretKey.safeParse(id.slice(prefix.length));
  return key.success ? { key: key.data, scope: 'project' } : undefined;
}

/** Where the value of an `${input:id}` is kept: each source has inputs of its own. */
export function inputKeyOf(sourceId: string, inputId: string): SecretKey {
  const words = inputId.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 100);
  return SecretKey.parse(`input.${hashOf([sourceId, inputId]).slice(0, 12)}.${words}`);
}
