import { AppError } from '../../shared/errors.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import type { HttpAuth } from '../auth/http-auth.ts';
import type { SignInTarget } from '../auth/sign-in-target.ts';
import { Secret } from '../kernel/secret.ts';
import type { BuiltInServers, ConfigFiles, Host } from '../ports.ts';
import type { LaunchMaterial } from '../servers/launch-material.ts';
import { whichBuiltIn } from '../servers/which-built-in.ts';
import type { Filled, LaunchFiller } from './fill-launch.ts';
import { beginFilling, fillTexts, open, registerLiterals } from './filling.ts';
import { planLaunch, refuseOtherUrl, textsOf, type LaunchPlan, type PlannedText } from './launch-plan.ts';
import type { LaunchProgress, ReadyLaunch } from './session.ts';
import { planSignIn } from './sign-in-plan.ts';
import { machineTexts, settingTexts, targetOf, type SignInTargetDeps } from './sign-in-target.ts';

export interface ResolveLaunchDeps extends SignInTargetDeps {
  readonly builtInServers: BuiltInServers;
  readonly configFiles: Pick<ConfigFiles, 'read'>;
  /** Who signs the requests of a server that can be signed in to; `undefined`: nobody does. */
  readonly httpAuth: (target: SignInTarget) => HttpAuth | undefined;
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

  const literals = registerLiterals(definition, material, deps.redactor);
  const plan = planLaunch(definition.name, material, literals);
  const signIn = planSignIn(definition.name, material, literals);
  const texts = [...textsOf(plan), ...('refused' in signIn ? [] : settingTexts(signIn))];
  const later = 'refused' in signIn ? [] : machineTexts(signIn);
  const filling = await beginFilling(definition, material, [...texts, ...later], deps, progress, signal);
  const envFile = plan.type === 'stdio' && plan.envFile ? await readEnvFile(filling.filler, plan.envFile, material, deps, signal) : {};
  const filled = await fillTexts(filling, { texts, later }, deps, progress.asking, signal);
  const of = (text: PlannedText): Filled => filled.get(text) ?? '';
  const ready = assembled(plan, of, { material, envFile, host: deps.host, server: definition.name });
  if ('refused' in signIn || (ready.type !== 'streamable-http' && ready.type !== 'sse')) return ready;
  const auth = deps.httpAuth(targetOf(definition, { signIn, of, url: open(ready.url) }, deps));
  return auth ? { ...ready, auth } : ready;
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
