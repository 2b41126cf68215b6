import type { AddClientAuthentication, OAuthClientInformationMixed } from '@modelcontextprotocol/client';
import { AppError } from '../../shared/errors.ts';
import { keyProblem, standardClaims } from '../formats/oauth-rules.ts';
import { loadSdk } from '../kernel/sdk.ts';
import { Secret } from '../kernel/secret.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { SignInTarget } from './sign-in-target.ts';

/**
 * How a client proves who it is to a provider, in browser sign-ins, renewals and machines alike: with its private key (RFC 7523, section 2.2; F-169), which is read for
 * each request and kept nowhere, else with its secret in the way that the provider's metadata name (RFC 6749, section 2.3.1), else by its name alone. Throws
 * `config/invalid`, `secret/*`, `vault/*`, `user/needed`.
 */
export function clientAuthentication(target: SignInTarget, client: OAuthClientInformationMixed, redactor: Pick<Redactor, 'register'>, signal: AbortSignal): AddClientAuthentication {
  return async (headers, params, url, metadata) => {
    const known = metadata?.token_endpoint_auth_methods_supported ?? [];
    const register = (value: string): void => redactor.register(new Secret(value));
    if (target.settings.privateKeyJwt) {
      await signAssertion(target, client.client_id, [headers, params, url, metadata], signal);
      const assertion = params.get('client_assertion');
      if (assertion !== null) register(assertion);
      return;
    }
    const secret = client.client_secret;
    const { selectClientAuthMethod } = await loadSdk();
    const method = secret === undefined ? 'none' : selectClientAuthMethod(client, known);
    if (secret !== undefined && method === 'client_secret_basic') {
      // Each part in the form of a form, which the SDK leaves out: a secret may hold what that form means otherwise.
      const pair = `${formEncoded(client.client_id)}:${formEncoded(secret)}`;
      register(pair);
      headers.set('Authorization', `Basic ${btoa(pair)}`);
      return;
    }
    params.set('client_id', client.client_id);
    if (secret !== undefined && method === 'client_secret_post') params.set('client_secret', secret);
  };
}

const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);

async function signAssertion(target: SignInTarget, clientId: string, request: Parameters<AddClientAuthentication>, signal: AbortSignal): Promise<void> {
  const { privateKeyJwt } = target.settings;
  if (!privateKeyJwt) return;
  const { algorithm, audience, lifetimeSeconds, claims } = privateKeyJwt;
  const { privateKey } = await target.credentials(signal);
  if (!privateKey) throw unusable(target, 'has no value');
  const { createPrivateKeyJwtAuth } = await loadSdk();
  const sign = createPrivateKeyJwtAuth({
    issuer: clientId, subject: clientId, alg: algorithm, privateKey: keyOf(target, privateKey.reveal(), algorithm),
    claims: Object.fromEntries(Object.entries(claims ?? {}).filter(([name]) => !standardClaims.has(name))),
    ...(audience === undefined ? {} : { audience }), ...(lifetimeSeconds === undefined ? {} : { lifetimeSeconds }),
  });
  try {
    await sign(...request);
  } catch {
    // The thrown text may quote a part of the key.
    throw unusable(target, `is no key for ${algorithm}`);
  }
}

/** PEM as text, with the line ends that variables write as `\n`; a JWK as an object. */
function keyOf(target: SignInTarget, text: string, algorithm: string): string | Record<string, unknown> {
  const problem = keyProblem(text, algorithm);
  if (problem !== undefined) throw unusable(target, problem);
  const key = text.trim();
  return key.startsWith('{') ? Object.fromEntries(Object.entries(JSON.parse(key))) : key.replaceAll('\\n', '\n');
}

const unusable = ({ server }: SignInTarget, why: string): AppError =>
  new AppError('config/invalid', `The private key of “${server}” ${why}`, { data: { server, field: 'oauth.privateKeyJwt.privateKey' } });
