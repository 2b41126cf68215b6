import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import { literalsOf } from '../formats/literals.ts';
import { Secret } from '../kernel/secret.ts';
import type { Host, SecretCommands } from '../ports.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { SecretDesk, SecretReader } from '../secrets/secret-desk.ts';
import { launchTarget } from '../servers/launch-revision.ts';
import type { LaunchMaterial } from '../servers/launch-material.ts';
import { isTelling, LaunchFiller, type Filled } from './fill-launch.ts';
import { namesVariable, wantsOf, type PlannedText } from './launch-plan.ts';
import type { LaunchProgress } from './session.ts';

export interface FillingDeps {
  readonly host: Host;
  readonly secretCommands: SecretCommands;
  readonly secrets: SecretDesk;
  readonly redactor: Redactor;
  /** The open one. */
  readonly project: () => string | undefined;
}
/** The texts of one server on their way to their values, for one launch or one use of its credentials. */
export interface Filling {
  readonly filler: LaunchFiller;
  readonly reader: SecretReader;
}

/** What can be said without a secret is said here, before a person is asked: throws `variable/missing`, `project/needed`. */
export async function beginFilling(definition: ServerDefinition, material: LaunchMaterial, texts: readonly PlannedText[], deps: FillingDeps, progress: LaunchProgress, signal: AbortSignal): Promise<Filling> {
  const { host, redactor } = deps;
  const variables = texts.some(namesVariable) ? await host.environment(signal) : {};
  const filler = new LaunchFiller({ server: definition.name, project: material.project ?? deps.project(), variables, host, redactor, progress });
  for (const text of texts) filler.check(text);
  const reader: SecretReader = {
    serverId: definition.id, server: definition.name, revision: definition.revision, target: redactor.mask(launchTarget(definition.transport)),
    project: material.project, digest: material.digest,
  };
  return { filler, reader };
}

/**
 * All values, or none: the vault and the person first, commands after them. `later` is only asked for with them: a permission that will be needed while nobody waits for a
 * person. Throws `secret/*`, `user/needed`, `vault/*`, `variable/missing`.
 */
export async function fillTexts({ filler, reader }: Filling, { texts, later }: { readonly texts: readonly PlannedText[]; readonly later: readonly PlannedText[] }, deps: FillingDeps, asking: LaunchProgress['asking'], signal: AbortSignal): Promise<ReadonlyMap<PlannedText, Filled>> {
  filler.use(reader, await deps.secrets.open(reader, wantsOf([...texts, ...later]), asking, signal));
  const filled = new Map<PlannedText, Filled>();
  // One after another: a command may ask the person to unlock something.
  for (const text of texts) filled.set(text, await filler.fill(text, (command) => deps.secretCommands.run(command, signal)));
  signal.throwIfAborted();
  return filled;
}

/** What stands in files in the open is masked before it is used anywhere. Answers the paths of values that are secret as a whole. */
export function registerLiterals({ name }: ServerDefinition, { fields, owner }: LaunchMaterial, redactor: Redactor): ReadonlySet<string> {
  const literals = literalsOf(name, fields, owner === 'project' ? 'project' : 'global');
  for (const { value } of literals) if (isTelling(value)) redactor.register(new Secret(value));
  return new Set(literals.flatMap(({ field, key }) => (field === 'env' || field === 'headers' ? [`${field}.${key}`] : [])));
}

/** Where a value leaves for what only takes text: a path, an address that is parsed, a header that is put together. */
export const open = (value: Filled): string => (typeof value === 'string' ? value : value.reveal());
