import { describe, expect, it } from 'vitest';
import { maskText } from './mask-text.ts';

const masked = (value: unknown): unknown => JSON.parse(maskText(JSON.stringify(value)));

describe('a file for people', () => {
  it('holds no text that looks secret, wherever it stands', () => {
    const shown = maskText(JSON.stringify({
      mcpServers: {
        a: { command: 'x', args: ['--api-key', 'canary-1', '--token=canary-2'], env: { TOKEN: 'canary-3', MODE: 'fast', PLAIN_KEY: { plain: 'canary-4' } }, bearerToken: 'canary-5' },
        b: { url: 'https://me:canary-6@example.test/?api_key=canary-7', headers: { Authorization: 'Bearer canary-8' }, oauth: { clientSecret: 'canary-9' } },
        invalid: { command: 5, env: { SECRET: 'canary-10' } },
        both: { url: 'https://example.test', oauth: { clientSecret: 'canary-12', privateKeyJwt: { privateKey: 'canary-13', algorithm: 'ES256' }, assertion: 'canary-14', crossAppAccess: { idpUrl: 'https://idp.test', clientId: 'c', idToken: 'canary-15', clientSecret: 'canary-16' } } },
      },
      settings: { someToken: 'canary-11' },
    }));
    expect(shown).not.toMatch(/canary-/);
    expect(shown).toContain('"fast"');
    expect(shown).toContain('example.test');
  });
  it('keeps references, variables and commands, comments and lines', () => {
    const text = '{\n  // mine\n  "mcpServers": {\n    "a": { "command": "x", "env": { "TOKEN": { "secretRef": "k", "scope": "global" }, "KEY": "${KEY}", "PASSWORD": "!op read x" }, "auth": "oauth", "bearerTokenEnv": "API_TOKEN" },\n  },\n}\n';
    expect(maskText(text)).toBe(text);
  });
  it('masks the default of a variable', () => {
    expect(masked({ mcpServers: { a: { command: 'x', env: { TOKEN: '${TOKEN:-canary-default}' } } } })).toMatchObject({ mcpServers: { a: { env: { TOKEN: '${TOKEN:-•••}' } } } });
  });
  it('shows nothing of a text that does not parse', () => {
    expect(maskText('{ "TOKEN": "canary')).toBe('•••');
    expect(maskText('')).toBe('');
  });
});
