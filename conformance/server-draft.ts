import type { InputOf } from '../src/shared/ipc/define.ts';
import type { Contract } from '../src/shared/ipc/contract.ts';
import type { Scenario } from './scenario-context.ts';

type Draft = InputOf<Contract['servers.add']>;
type OAuth = Exclude<NonNullable<NonNullable<Draft['options']>['oauth']>, false>;

/** The scenario's server as a person would add it. */
export function draftOf({ name, version, url, context }: Scenario): Draft {
  const oauth = machineSignIn(name, context);
  return {
    name: 'conformance', transport: { type: 'streamable-http', url, headers: {} },
    options: { protocolVersion: version < '2026' ? 'legacy' : 'auto', ...(oauth ? { oauth } : {}) },
  };
}

/** Where no person signs in, the settings say how. */
function machineSignIn(name: string, context: Scenario['context']): OAuth | undefined {
  const { client_id: clientId, client_secret: clientSecret, private_key_pem: key, signing_algorithm: algorithm = 'ES256' } = context;
  if (clientId === undefined) return undefined;
  const secret = clientSecret === undefined ? {} : { clientSecret: { secret: clientSecret } };
  switch (name) {
    case 'auth/client-credentials-basic':
      return { grantType: 'client_credentials', clientId, ...secret };
    case 'auth/client-credentials-jwt':
      return { grantType: 'client_credentials', clientId, privateKeyJwt: { privateKey: { secret: given(key) }, algorithm } };
    case 'auth/enterprise-managed-authorization':
      return { clientId, ...secret, crossAppAccess: { idpUrl: given(context.idp_issuer), clientId: given(context.idp_client_id), idToken: { secret: given(context.idp_id_token) } } };
    case 'auth/wif-jwt-bearer':
      return { grantType: 'jwt-bearer', clientId, assertion: { secret: given(context.valid_jwt) } };
    default:
      return undefined;
  }
}

function given(value: string | undefined): string {
  if (value === undefined) throw new Error('The scenario leaves out what it always gives');
  return value;
}
