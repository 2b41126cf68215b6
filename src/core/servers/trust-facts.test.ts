import { expect, it } from 'vitest';
import { readSource } from '../formats/read-source.ts';
import { trustedServers } from './trust-facts.ts';

it('a sign-in of a project’s file is shown with every variable of the person that it takes in, its commands and its secrets, and without a value', () => {
  const oauth = {
    grantType: 'client_credentials', clientId: 'shop', scope: 'read ${TEAM}', authorizationParams: { hint: '$env:USER', fixed: 'x' }, clientSecret: '${SHOP_SECRET:-canary-default}',
    clientMetadataUrl: 'https://shop.example/client.json',
  };
  const text = JSON.stringify({ mcpServers: { docs: { url: 'https://shop.example/mcp', oauth }, jobs: { url: 'https://jobs.example/mcp', oauth: { grantType: 'jwt-bearer', assertion: '!cat /run/token' } } } });
  const parsed = readSource(text, { file: '/shop/.gatehouse/mcp.json', shape: 'gatehouse' });
  const source = { id: 'project', kind: 'project', label: 'project', scope: 'project', path: '/shop/.gatehouse/mcp.json' } as const;
  const servers = trustedServers('/shop', [{ source, status: 'read', parsed, digest: 'd' }]);
  expect(servers.map(({ name, facts }) => [name, facts.filter(({ kind }) => kind !== 'address')])).toEqual([
    ['docs', [
      { kind: 'sign-in', text: 'shop client_credentials' }, { kind: 'sign-in', text: 'scope: read ${TEAM}' }, { kind: 'sign-in', text: 'authorizationParams.hint: $env:USER' },
      { kind: 'sign-in', text: 'clientSecret: ${SHOP_SECRET}' },
    ]],
    ['jobs', [{ kind: 'sign-in', text: 'jwt-bearer' }, { kind: 'secret-command', text: 'oauth.assertion: cat /run/token' }]],
  ]);
});

it('a variable shows also where its default looks secret, in environment and headers too', () => {
  const text = JSON.stringify({ mcpServers: { run: { command: 'x', env: { TOKEN: '${MY_TOKEN:-canary-default}' } }, web: { url: 'https://h.example', headers: { Authorization: 'Bearer ${MY_TOKEN:-canary-default}' } } } });
  const parsed = readSource(text, { file: '/shop/.mcp.json', shape: 'gatehouse' });
  const source = { id: 'project', kind: 'project', label: 'project', scope: 'project', path: '/shop/.mcp.json' } as const;
  const facts = trustedServers('/shop', [{ source, status: 'read', parsed, digest: 'd' }]).flatMap((server) => server.facts);
  expect(facts).toContainEqual({ kind: 'environment', text: expect.stringContaining('${MY_TOKEN') });
  expect(facts).toContainEqual({ kind: 'headers', text: expect.stringContaining('${MY_TOKEN') });
  expect(JSON.stringify(facts)).not.toContain('canary');
});
