import { describe, expect, it } from 'vitest';
import type { SignInExchange, SignInLogin } from '../../../shared/model/sign-in.ts';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { answerOf } from '../../bridge/sign-in-answer.ts';
import { historyText } from './sign-in-history-text.ts';
import { wayOf } from '../../bridge/may-sign-in.ts';
import { sharers } from './sign-in-share.ts';

describe('what is brought from another computer’s browser', () => {
  it.each([
    ['http://localhost:51234/callback?code=a&state=b', { redirectUrl: 'http://localhost:51234/callback?code=a&state=b' }],
    ['  localhost:51234/callback?code=a&state=b\n', { redirectUrl: 'http://localhost:51234/callback?code=a&state=b' }],
    ['4/0AeaYSH-x_y', { code: '4/0AeaYSH-x_y' }],
    ['', undefined],
    ['two words', undefined],
    ['http://', undefined],
  ])('%j', (typed, given) => {
    expect(answerOf(typed)).toEqual(given);
  });
});

describe('what a sign-in asked and heard', () => {
  it('is one line of text for each request, names and no values', () => {
    const asked: SignInExchange = { at: 0, ms: 41, step: 'token', method: 'POST', url: 'https://auth.example/token', sent: ['grant_type=authorization_code', 'code', 'code_verifier'], status: 400, answer: 'invalid_grant' };
    expect(historyText([asked, { at: 1000, ms: 15_000, step: 'discovery', method: 'GET', url: 'https://auth.example/x', sent: [], failure: 'timed out' }])).toBe(
      '1970-01-01T00:00:00.000Z\ttoken\tPOST\thttps://auth.example/token\tsent: grant_type=authorization_code, code, code_verifier\t400 invalid_grant\t41 ms\n' +
        '1970-01-01T00:00:01.000Z\tdiscovery\tGET\thttps://auth.example/x\tsent: nothing\tno answer timed out\t15 s',
    );
  });
});

describe('a login that may be used for another server', () => {
  const login = { issuer: 'https://auth.example' } as SignInLogin;
  const row = (name: string, url: string, signedIn?: SignInLogin, options = {}) =>
    ({ definition: { id: name, name, transport: { type: 'streamable-http', url, headers: {} }, options }, ...(signedIn ? { signIn: { way: 'browser', login: signedIn } } : {}) }) as unknown as ServerRow; // what is read of it
  const stdio = { definition: { id: 'p', name: 'p', transport: { type: 'stdio' }, options: {} } } as unknown as ServerRow; // what is read of it
  const here = row('here', 'https://mcp.example/a');

  it('is that of a server at the same origin that is signed in to by itself', () => {
    const all = [here, row('b', 'https://mcp.example/b', login), row('c', 'https://mcp.example:444/b', login), row('d', 'https://mcp.example/d'), row('e', 'https://mcp.example/e', { ...login, sharedFrom: 'b' as never }), stdio];
    expect(sharers(here, Object.fromEntries(all.map((one) => [one.definition.id, one]))).map(({ definition }) => definition.name)).toEqual(['b']);
  });

  it('is for servers over HTTP whose settings leave room for it', () => {
    const way = (options: object, headers: object = {}) => wayOf({ definition: { ...here.definition, options, transport: { type: 'sse', url: 'https://x.example', headers } } } as ServerRow); // what is read of it
    expect([wayOf(here), wayOf(stdio), way({ auth: 'bearer' }), way({ auth: false }), way({ oauth: false })]).toEqual(['browser', undefined, undefined, undefined, undefined]);
    expect([way({ bearerTokenEnv: 'T' }), way({}, { 'X-Key': 'k' }), way({ auth: 'oauth' }, { 'X-Key': 'k' }), way({ oauth: {} }, { 'X-Key': 'k' })]).toEqual([undefined, undefined, 'browser', 'browser']);
    expect([way({ oauth: { grantType: 'client_credentials' } }), way({ oauth: { grantType: 'jwt-bearer' } }), way({ oauth: { crossAppAccess: {} } })]).toEqual(['client-credentials', 'jwt-bearer', 'cross-app']);
  });
});
