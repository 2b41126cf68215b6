import { AppError } from '../../shared/errors.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import { documentProblem } from '../../shared/text/document-address.ts';
import type { SignInCredentials, SignInSettings, SignInTarget } from '../auth/sign-in-target.ts';
import { Secret } from '../kernel/secret.ts';
import type { LaunchMaterial } from '../servers/launch-material.ts';
import type { Filled } from './fill-launch.ts';
import { beginFilling, fillTexts, open, registerLiterals, type FillingDeps } from './filling.ts';
import { planLaunch, refuseOtherUrl, type PlannedText } from './launch-plan.ts';
import type { LaunchProgress } from './session.ts';
import { planSignIn, type Credential, type NoSignIn, type SignInPlan } from './sign-in-plan.ts';

export interface SignInTargetDeps extends FillingDeps {
  /** What files say of a server; `undefined` for one that is no longer in the list, or whose project is not trusted. */
  readonly material: (id: ServerDefinition['id']) => LaunchMaterial | undefined;
}

/**
 * Whom to sign in to, by the rules of a launch (F-154, F-24): `refused` says why this server is not one, for `auth/not-supported`. A server that is switched off is
 * answered too: its login can still be given back. Throws `server/not-found`, `config/invalid`, `variable/missing`, `project/needed`, and `secret/*`, `vault/*`,
 * `user/needed` where its address names a secret.
 */
export async function signInTarget(definition: ServerDefinition, deps: SignInTargetDeps, signal: AbortSignal): Promise<SignInTarget | NoSignIn> {
  const material = deps.material(definition.id);
  if (!material) {
    if (definition.owner === 'built-in') return { refused: 'it comes with Gatehouse' };
    throw new AppError('server/not-found', `“${definition.name}” is not in use any more`);
  }
  const literals = registerLiterals(definition, material, deps.redactor);
  const signIn = planSignIn(definition.name, material, literals);
  if ('refused' in signIn) return signIn;
  const plan = planLaunch(definition.name, material, literals);
  if (plan.type !== 'streamable-http' && plan.type !== 'sse') return { refused: 'it is not reached over HTTP' };
  const texts = [plan.url, ...settingTexts(signIn)];
  const filling = await beginFilling(definition, material, texts, deps, quietly, signal);
  const filled = await fillTexts(filling, { texts, later: [] }, deps, quietly.asking, signal);
  const of = (text: PlannedText): Filled => filled.get(text) ?? '';
  const url = open(of(plan.url));
  refuseOtherUrl(url, definition.name);
  return targetOf(definition, { signIn, of, url }, deps);
}

/** Under which id logins are kept: one that exists in a run alone is signed in to once for all runs of its profile. */
export const loginOf = ({ id, kin = id }: Pick<ServerDefinition, 'id' | 'kin'>): ServerDefinition['id'] => kin;

/** Its questions are the vault's own, and nothing of it may be missing: there is nothing to warn of. */
const quietly: LaunchProgress = { byPerson: false, asking: () => undefined, warn: () => undefined };

export const settingTexts = ({ settings }: SignInPlan): readonly PlannedText[] => Object.values(settings);

/** What a machine reads as soon as it connects: it cannot wait for a person then. A person who signs in waits for themselves. */
export const machineTexts = ({ way, credentials }: SignInPlan): readonly PlannedText[] => (way === 'browser' ? [] : Object.values(credentials));

interface Values {
  readonly signIn: SignInPlan;
  readonly of: (text: PlannedText) => Filled;
  readonly url: string;
}
/** With the values of everything that is in the open. Throws `config/invalid` for a document's address that is none once it is filled in (F-162). */
export function targetOf(definition: ServerDefinition, { signIn, of, url }: Values, deps: SignInTargetDeps): SignInTarget {
  return {
    serverId: loginOf(definition), server: definition.name, url, way: signIn.way,
    settings: settingsOf(definition.name, signIn, (text) => open(of(text))),
    credentials: (signal) => readCredentials(definition, signIn, deps, signal),
  };
}

function settingsOf(server: string, { oauth, settings }: SignInPlan, of: (text: PlannedText) => string): SignInSettings {
  const texts = Object.fromEntries(Object.entries(settings).map(([path, text]) => [path, of(text)]));
  const named = <K extends string>(name: K, path: string = name): { readonly [P in K]?: string } =>
    (texts[path] === undefined ? {} : { [name]: texts[path] }) as { [P in K]?: string }; // its one key is `name`
  const document = texts['clientMetadataUrl'];
  const wrong = document === undefined ? undefined : documentProblem(document);
  if (wrong !== undefined) throw new AppError('config/invalid', `oauth.clientMetadataUrl of “${server}” ${wrong}`, { data: { server, field: 'oauth.clientMetadataUrl' } });
  const { privateKeyJwt, clientSecret, skipIssuerMetadataValidation, clientMetadataUrl, authorizationParams } = oauth;
  return {
    hasSecret: clientSecret !== undefined || privateKeyJwt !== undefined,
    ...named('clientId'), ...named('scope'), ...named('redirectUri'), ...named('clientName'), ...named('clientUri'), ...named('clientMetadataUrl'),
    ...(clientMetadataUrl === false ? { clientMetadataUrl } : {}),
    ...(skipIssuerMetadataValidation === undefined ? {} : { skipIssuerMetadataValidation }),
    ...(authorizationParams === undefined ? {} : { authorizationParams: Object.fromEntries(Object.keys(authorizationParams).map((name) => [name, texts[`authorizationParams.${name}`] ?? ''])) }),
    ...(privateKeyJwt === undefined ? {} : { privateKeyJwt: jwtOf(privateKeyJwt, named('audience', 'privateKeyJwt.audience')) }),
  };
}

const jwtOf = ({ algorithm, lifetimeSeconds, claims }: NonNullable<SignInPlan['oauth']['privateKeyJwt']>, audience: { readonly audience?: string }) => ({
  algorithm, ...audience,
  ...(lifetimeSeconds === undefined ? {} : { lifetimeSeconds }),
  ...(claims === undefined ? {} : { claims }),
});

/** Anew each time, and kept nowhere (F-26, F-169, F-170). */
async function readCredentials(definition: ServerDefinition, { credentials }: SignInPlan, deps: SignInTargetDeps, signal: AbortSignal): Promise<SignInCredentials> {
  const material = deps.material(definition.id);
  if (!material) throw new AppError('server/not-found', `“${definition.name}” is not in use any more`);
  const texts = Object.values(credentials);
  const filling = await beginFilling(definition, material, texts, deps, quietly, signal);
  const filled = await fillTexts(filling, { texts, later: [] }, deps, quietly.asking, signal);
  const valueOf = (name: Credential): Filled | undefined => (credentials[name] === undefined ? undefined : filled.get(credentials[name]));
  const secret = <K extends string>(key: K, name: Credential): { readonly [P in K]?: Secret } => {
    const value = valueOf(name);
    return (value === undefined ? {} : { [key]: typeof value === 'string' ? new Secret(value) : value }) as { [P in K]?: Secret }; // its one key is `key`
  };
  const [idpUrl, clientId, idToken] = [valueOf('crossAppAccess.idpUrl'), valueOf('crossAppAccess.clientId'), valueOf('crossAppAccess.idToken')];
  return {
    ...secret('clientSecret', 'clientSecret'), ...secret('privateKey', 'privateKeyJwt.privateKey'), ...secret('assertion', 'assertion'),
    ...(idpUrl === undefined || clientId === undefined || idToken === undefined
      ? {}
      : { crossApp: { idpUrl: open(idpUrl), clientId: open(clientId), idToken: new Secret(open(idToken)), ...secret('clientSecret', 'crossAppAccess.clientSecret') } }),
  };
}
