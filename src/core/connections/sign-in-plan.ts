import { AppError } from '../../shared/errors.ts';
import type { SignInWay } from '../../shared/model/sign-in.ts';
import { oauthProblems, signsIn } from '../formats/oauth-rules.ts';
import { credentialsOf, lazyValuesOf, openTextsOf } from '../formats/oauth-values.ts';
import type { RawFields, RawOAuth } from '../formats/raw-entry.ts';
import type { LaunchMaterial } from '../servers/launch-material.ts';
import { planOpen, planValue, type PlannedText, type Planning } from './launch-plan.ts';

/** How one server is signed in to, from what files say. */
export interface SignInPlan {
  readonly way: SignInWay;
  readonly oauth: RawOAuth;
  /** In the open, by their paths below `oauth`. */
  readonly settings: Readonly<Record<string, PlannedText>>;
  readonly credentials: Readonly<Partial<Record<Credential, PlannedText>>>;
}
/** By their paths below `oauth`: each is looked up anew for each use, and may be a `!command` (F-26). */
export type Credential =
  | 'clientSecret' | 'privateKeyJwt.privateKey' | 'assertion' | 'crossAppAccess.idpUrl' | 'crossAppAccess.clientId' | 'crossAppAccess.idToken' | 'crossAppAccess.clientSecret';
export type NoSignIn = { readonly refused: string };

/** Whether a server may be signed in to, and how (F-154); `refused` says why not, in words. Nothing is read. */
export function signInWay(fields: Pick<RawFields, 'url' | 'auth' | 'oauth' | 'bearerToken' | 'bearerTokenEnv' | 'headers'>): SignInWay | NoSignIn {
  const { url, auth, oauth } = fields;
  if (url === undefined) return { refused: 'it is not reached over HTTP' };
  if (auth === false) return { refused: 'its settings say “auth: false”' };
  if (oauth === false) return { refused: 'its settings say “oauth: false”' };
  if (auth === 'bearer') return { refused: 'its settings say “auth: bearer”' };
  const switchOn = '; “auth: oauth” switches signing in on';
  if (!signsIn(fields)) {
    if (fields.bearerToken !== undefined || fields.bearerTokenEnv !== undefined) return { refused: `its settings hold a token${switchOn}` };
    if (Object.keys(fields.headers ?? {}).length > 0) return { refused: `it has headers of its own${switchOn}` };
  }
  if (oauth?.crossAppAccess) return 'cross-app';
  if (oauth?.grantType === 'jwt-bearer') return 'jwt-bearer';
  return oauth?.grantType === 'client_credentials' ? 'client-credentials' : 'browser';
}

/** What a sign-in needs. Pure. Throws `config/invalid` for what cannot be together, and for a secret where others see it; `secret/command-failed` for a `!command` of a project's file. */
export function planSignIn(server: string, material: LaunchMaterial, literals: ReadonlySet<string>): SignInPlan | NoSignIn {
  const way = signInWay(material.fields);
  if (typeof way !== 'string') return way;
  const oauth = material.fields.oauth === false ? {} : (material.fields.oauth ?? {});
  const wrong = oauthProblems(oauth).find(({ severity }) => severity === 'error');
  if (wrong) throw new AppError('config/invalid', `oauth of “${server}”: ${wrong.message}`, { data: { server, field: `oauth.${wrong.path.join('.')}` } });
  const planning: Planning = { material, server, literals };
  const why = 'a secret cannot stand where others see it';
  return {
    way, oauth,
    settings: Object.fromEntries(openTextsOf(oauth).map(([path, value]) => [path, planOpen(planning, 'oauth', `oauth.${path}`, value, why)])),
    credentials: planCredentials(oauth, planning),
  };
}

function planCredentials(oauth: RawOAuth, planning: Planning): SignInPlan['credentials'] {
  const secret = new Set(credentialsOf(oauth).map(([path]) => path));
  return Object.fromEntries(lazyValuesOf(oauth).map(([path, value]) => [path, planValue(planning, 'oauth', `oauth.${path}`, value, { needed: true, credential: true, secret: secret.has(path) })]));
}
