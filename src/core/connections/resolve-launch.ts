import { AppError } from '../../shared/errors.ts';
import type { ServerId } from '../../shared/ids.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import { literalsOf } from '../formats/literals.ts';
import { Secret } from '../kernel/secret.ts';
import type { BuiltInServers, ConfigFiles, Host, SecretCommands } from '../ports.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { SecretDesk, SecretReader } from '../secrets/secret-desk.ts';
import { launchTarget } from '../servers/launch-revision.ts';
import type { LaunchMaterial } from '../servers/launch-material.ts';
import { whichBuiltIn } from '../servers/which-built-in.ts';
import { isTelling, LaunchFiller, type Filled } from './fill-launch.ts';
import { namesVariable, planLaunch, textsOf, wantsOf, type LaunchPlan, type PlannedText } from './launch-plan.ts';
import type { LaunchProgress, ReadyLaunch } from './session.ts';

export interface ResolveLaunchDeps {
  readonly builtInServers: BuiltInServers;
  readonly host: Host;
  readonly configFiles: Pick<ConfigFiles, 'read'>;
  readonly secretCommands: SecretCommands;
  readonly secrets: SecretDesk;
  readonly redactor: Redactor;
  /** The open one. */
  readonly project: () => string | undefined;
  /** What files say of it; `undefined` for a server that is no longer in the list, or whose project is not trusted. */
  readonly material: (id: ServerId) => LaunchMaterial | undefined;
}

/**
 * The only way from a definition to a launch: switched on, trusted, variables, permissions, secrets, commands. All of it or nothing (U-19). What cannot be is found
 * out before a person is asked, and a person is asked before a command runs. Throws `server/disabled`, `project/needed`, `variable/missing`, `secret/*`, `user/needed`,
 * `vault/*`, `config/invalid`, `storage/failed`; `data` names server, field and reference, never a value.
 */
export async function resolveLaunch(definition: ServerDefinition, deps: ResolveLaunchDeps, progress: LaunchProgress, signal: AbortSignal): Promise<ReadyLaunch> {
  if (!definition.enabled) throw new AppError('server/disabled', `“${definition.name}” is switched off`);
  const builtIn = whichBuiltIn(definition);
  if (builtIn) return { type: 'stdio', launch: deps.builtInServers.launch(builtIn, deps.project()) };
  const material = deps.material(definition.id);
  if (!material) throw new AppError('server/not-found', `“${definition.name}” is not in use any more`);
  if (progress.byPerson) deps.secrets.forgive(definition.id);

  const plan = planLaunch(definition.name, material, registerLiterals(definition, material, deps.redactor));
  const texts = textsOf(plan);
  const variables = texts.some(namesVariable) ? await deps.host.environment(signal) : {};
  const filler = new LaunchFiller({ server: definition.name, project: material.project ?? deps.project(), variables, host: deps.host, redactor: deps.redactor, progress });
  for (const text of texts) filler.check(text);
  const envFile = plan.type === 'stdio' && plan.envFile ? await readEnvFile(filler, plan.envFile, material, deps, signal) : {};

  const reader: SecretReader = {
    serverId: definition.id, server: definition.name, revision: definition.revision, target: deps.redactor.mask(launchTarget(definition.transport)),
    project: material.project, digest: material.digest,
  };
  const values = await deps.secrets.open(reader, wantsOf(texts), progress.asking, signal);
  filler.use(reader, values);
  const filled = new Map<PlannedText, Filled>();
  // One after another: a command may ask the person to unlock something.
  for (const text of texts) filled.set(text, await filler.fill(text, (command) => deps.secretCommands.run(command, signal)));
  signal.throwIfAborted();
  return assembled(plan, (text) => filled.get(text) ?? '', { material, envFile, host: deps.host, server: definition.name });
}

interface Assembly {
  readonly material: LaunchMaterial;
  readonly envFile: Readonly<Record<string, Filled>>;
  readonly host: Host;
  readonly server: string;
}

function assembled(plan: LaunchPlan, of: (text: PlannedText) => Filled, { material, envFile, host, server }: Assembly): ReadyLaunch {
  const all = (texts: Readonly<Record<string, PlannedText>>) => Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, of(text)]));
  switch (plan.type) {
    case 'stdio': {
      const cwd = plan.cwd === undefined ? '' : place(open(of(plan.cwd)), material, host);
      const folder = cwd === '' ? material.project : cwd;
      return {
        type: 'stdio',
        launch: {
          command: open(of(plan.command)), args: plan.args.map((arg) => open(of(arg))), env: { ...envFile, ...all(plan.env) }, ownRuntime: false,
          ...(folder === undefined ? {} : { cwd: folder }),
        },
      };
    }
    case 'streamable-http':
    case 'sse': {
      const url = of(plan.url);
      refuseOtherUrl(open(url), server);
      const token = plan.bearer && of(plan.bearer);
      const bearer = token === undefined ? {} : { Authorization: new Secret(`Bearer ${open(token)}`) };
      return { type: plan.type, url, headers: { ...all(plan.headers), ...bearer } };
    }
    case 'socket': {
      const path = place(open(of(plan.path)), material, host);
      if (path === '') throw new AppError('variable/missing', `The socket of “${server}” is empty`, { data: { server, field: 'socket' } });
      return { type: 'socket', path };
    }
  }
}

/** Where a value leaves for what only takes text: a path, an address that is parsed, a header that is put together. */
const open = (value: Filled): string => (typeof value === 'string' ? value : value.reveal());

/** F-24: looked at before anything is contacted. The address itself may hold a secret and is not said. */
function refuseOtherUrl(url: string, server: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return;
  throw new AppError('config/invalid', `The url of “${server}” is no http or https address`, { data: { server, field: 'url' } });
}

/** F-25: `~` is the person's folder. A relative path is the project's, or the person's. */
function place(path: string, { project }: LaunchMaterial, { homeFolder, platform }: Host): string {
  if (path === '') return '';
  const separator = platform === 'win32' ? '\\' : '/';
  if (/^~(?=$|[\\/])/.test(path)) return homeFolder + path.slice(1);
  const isPipeOrAbsolute = platform === 'win32' ? /^([A-Za-z]:)?[\\/]/.test(path) : path.startsWith('/');
  return isPipeOrAbsolute ? path : `${(project ?? homeFolder).replace(/[\\/]+$/, '')}${separator}${path}`;
}

async function readEnvFile(filler: LaunchFiller, text: PlannedText, material: LaunchMaterial, deps: ResolveLaunchDeps, signal: AbortSignal): Promise<Readonly<Record<string, Filled>>> {
  const path = place(filler.open(text), material, deps.host);
  const found = path === '' ? undefined : await deps.configFiles.read(path, signal);
  if (found === undefined) throw new AppError('config/invalid', `The envFile of “${filler.server}” is not there`, { data: { server: filler.server, field: 'envFile', path } });
  return Object.fromEntries(Object.entries(deps.host.readEnvFile(found)).map(([name, value]) => [name, filler.guarded(name, value)]));
}

/** What stands in files in the open is masked before it is used anywhere. Answers the paths of values that are secret as a whole. */
function registerLiterals({ name }: ServerDefinition, { fields, owner }: LaunchMaterial, redactor: Redactor): ReadonlySet<string> {
  const literals = literalsOf(name, fields, owner === 'project' ? 'project' : 'global');
  for (const { value } of literals) if (isTelling(value)) redactor.register(new Secret(value));
  return new Set(literals.flatMap(({ field, key }) => (field === 'env' || field === 'headers' ? [`${field}.${key}`] : [])));
}
