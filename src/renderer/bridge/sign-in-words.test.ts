import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../shared/errors.ts';
import type { SignInFlow } from '../../shared/model/sign-in.ts';
import { failureWords, leftMs, providerHost, stepsOf, wantedWords } from './sign-in-words.ts';

const failed = (code: ErrorCode, more: Partial<SignInFlow> = {}): SignInFlow => ({ flowId: 'f', step: 'callback', phase: 'failed', startedAt: 0, failure: { code, message: 'no' }, ...more });

describe('words of a sign-in', () => {
  it('say why, and name the tool and what has to be granted', () => {
    expect(wantedWords({ because: 'scopes', at: 0, tool: 'delete_repo', scopes: ['repo:delete', 'admin'] }, 'GitHub')).toMatchObject({
      what: 'delete_repo needs more permission.', means: 'You are signed in to GitHub, but this was not granted: repo:delete, admin.',
    });
    expect(wantedWords({ because: 'call', at: 0 }, 'GitHub').what).toBe('A call wants you to sign in.');
    expect(wantedWords({ because: 'expired', at: 0 }, 'GitHub').button).toBe('Sign in again');
  });

  it('name the port that is taken and the option that helps', () => {
    const words = failureWords(failed('auth/port-busy', { redirectUri: 'http://localhost:19876/callback' }), 'GitHub');
    expect(words.what).toContain('Port 19876');
    expect(words).toMatchObject({ next: 'options', means: expect.stringContaining('Redirect address') });
  });

  it('offer no second try where an answer came from somebody else, and name the option only for what a provider says of itself', () => {
    expect(failureWords(failed('auth/issuer-mismatch'), 'GitHub')).toMatchObject({ next: 'nothing', means: expect.not.stringContaining('skipIssuerMetadataValidation') });
    expect(failureWords(failed('auth/issuer-mismatch', { step: 'discovery' }), 'GitHub')).toMatchObject({ next: 'options', means: expect.stringContaining('skipIssuerMetadataValidation') });
  });

  it('offer another account to one who is not let in, and the vault where nothing can be kept', () => {
    expect(failureWords(failed('auth/account-refused', { step: 'connect' }), 'GitHub').next).toBe('other-account');
    expect(failureWords(failed('vault/locked', { step: 'client' }), 'GitHub').next).toBe('vault');
    expect(failureWords(failed('auth/denied'), 'GitHub').next).toBe('again');
  });

  it('show a provider by the host that it is, whatever it looks like', () => {
    expect(providerHost('https://аuth.example/realms/a')).toBe('xn--uth-5cd.example');
    expect(providerHost('not an address')).toBe('not an address');
  });

  it('leave out the steps that a machine does not take, and count no time below nothing', () => {
    expect(stepsOf('client-credentials')).toEqual(['discovery', 'token', 'connect']);
    expect(stepsOf('browser')).toHaveLength(6);
    expect([leftMs(10_500, 10_000), leftMs(9_000, 10_000)]).toEqual([1_000, 0]);
  });
});
