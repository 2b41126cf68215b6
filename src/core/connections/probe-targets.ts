import { AppError } from '../../shared/errors.ts';
import type { ServerId } from '../../shared/ids.ts';
import type { ConfigScope } from '../../shared/model/config-value.ts';
import type { ServerDraft } from '../../shared/model/server-definition.ts';
import type { ConfigFiles } from '../ports.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { draftLaunch } from '../servers/draft-launch.ts';
import type { ServerStore } from '../servers/server-store.ts';
import type { ProbeTarget } from './probe.ts';
import { resolveLaunch, type ResolveLaunchDeps } from './resolve-launch.ts';

export interface ProbeTargetsDeps extends Omit<ResolveLaunchDeps, 'material'> {
  readonly servers: ServerStore;
  readonly configFiles: Pick<ConfigFiles, 'read'>;
  readonly redactor: Redactor;
  /** In place of `httpAuth` for what is saved nowhere. */
  readonly trialAuth: ResolveLaunchDeps['httpAuth'];
}

/** What can be tested: a server of the list, switched on or not, and a draft that is saved nowhere. */
export class ProbeTargets {
  readonly #deps: ProbeTargetsDeps;

  constructor(deps: ProbeTargetsDeps) {
    this.#deps = deps;
  }

  /** Servers of an untrusted project are not in the list. Throws `server/not-found`. */
  saved(id: ServerId): ProbeTarget {
    const definition = this.#deps.servers.get(id);
    if (!definition) throw new AppError('server/not-found', 'There is no such server');
    return { definition, resolve: (wanted, progress, signal) => resolveLaunch(wanted, { ...this.#deps, material: (one) => this.#deps.servers.launchOf(one) }, progress, signal) };
  }

  /** With secrets that were typed and not stored, and with nobody signed in but a machine, for this test: a login belongs to what is saved. Throws what saving it would throw. */
  async draft(scope: ConfigScope, draft: ServerDraft, previousName: string | undefined, signal: AbortSignal): Promise<ProbeTarget> {
    const { servers, configFiles, redactor, project } = this.#deps;
    const path = servers.ownedFile(scope);
    const { read } = servers.current;
    if (scope === 'project' && !servers.projectIsTrusted) throw new AppError('trust/needed', 'Trust the project first', { data: { project: project() } });
    const text = await configFiles.read(path, signal);
    const { definition, material, secrets } = draftLaunch(draft, previousName, { scope, path, read, text, project: project() });
    for (const secret of secrets) redactor.register(secret);
    return { definition, resolve: (wanted, progress, ending) => resolveLaunch(wanted, { ...this.#deps, material: () => material, httpAuth: this.#deps.trialAuth }, progress, ending) };
  }
}
