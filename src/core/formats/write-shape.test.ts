import { describe, expect, it } from 'vitest';
import { SecretReference } from '../../shared/model/config-value.ts';
import type { ExportShape } from '../../shared/model/exchange.ts';
import type { RawFields } from './raw-entry.ts';
import { readSource } from './read-source.ts';
import { writeShape } from './write-shape.ts';

const reference = (secretRef: string) => SecretReference.parse({ secretRef, scope: 'global' });
const local: RawFields = {
  command: 'node', args: ['s.js', '--token=canary-arg', '${ROOT:-/srv}'], cwd: '/srv',
  env: { API_KEY: reference('mcp.docs.env.API_KEY'), LEVEL: 'info', HOST: '$env:HOST', DB_TOKEN: 'canary-env', PASS: '!pass show x' },
  lifecycle: 'eager',
};
const remote: RawFields = {
  url: 'https://example.test/mcp?key=${secret:web.key}&token=canary-url', headers: { 'X-Org': '{env:ORG}', 'X-Key': '${input:asked}' },
  bearerToken: reference('web-token'), oauth: { clientId: 'c', clientSecret: 'canary-client' },
};
const servers = [
  { name: 'docs', enabled: true, fields: local }, { name: 'web', enabled: true, fields: remote },
  { name: 'off', enabled: false, fields: { command: 'x' } }, { name: 'sock', enabled: true, fields: { socket: '/s' } },
];
const write = (shape: ExportShape) => writeShape(servers, shape);
const parsed = (shape: ExportShape): unknown => JSON.parse(write(shape).text);

describe('An export', () => {
  it.each(['gatehouse', 'claude', 'vscode', 'cursor'] as const)('as %s holds no secret, in no field, and says what is not in it', (shape) => {
    const { text, omitted } = write(shape);
    expect(`${text}${omitted.join()}`).not.toContain('canary');
    expect(omitted).toEqual(expect.arrayContaining(['docs: args.1', 'docs: env.DB_TOKEN', 'web: url.token', 'web: oauth.clientSecret']));
  });

  it('as Gatehouse keeps references and every option', () => {
    expect(write('gatehouse').fileName).toBe('gatehouse-mcp.json');
    const { entries, issues } = readSource(write('gatehouse').text, { file: 'x', shape: 'gatehouse' });
    expect(issues).toEqual([]);
    expect(Object.fromEntries(entries.map(({ name, fields }) => [name, fields]))).toEqual({
      docs: { ...local, args: ['s.js', '--token=${DOCS_ARG_1}', '${ROOT:-/srv}'], env: { ...local.env, DB_TOKEN: reference('mcp.docs.env.DB_TOKEN') } },
      web: {
        ...remote, url: 'https://example.test/mcp?key=${secret:web.key}&token=${secret:mcp.web.url.token}',
        oauth: { clientId: 'c', clientSecret: reference('mcp.web.oauth.clientSecret') },
      },
      off: { enabled: false, command: 'x' },
      sock: { socket: '/s' },
    });
  });

  it('as Claude has variables in the place of secrets', () => {
    expect(parsed('claude')).toEqual({
      mcpServers: {
        docs: {
          command: 'node', args: ['s.js', '--token=${DOCS_ARG_1}', '${ROOT:-/srv}'],
          env: { API_KEY: '${API_KEY}', LEVEL: 'info', HOST: '${HOST}', DB_TOKEN: '${DB_TOKEN}', PASS: '${PASS}' },
        },
        web: {
          type: 'http', url: 'https://example.test/mcp?key=${WEB_WEB_KEY}&token=${WEB_TOKEN}',
          headers: { Authorization: 'Bearer ${WEB_BEARER_TOKEN}', 'X-Org': '${ORG}', 'X-Key': '${WEB_ASKED}' },
        },
      },
    });
    expect(write('claude').omitted).toEqual(expect.arrayContaining([
      'docs: cwd', 'docs: lifecycle', 'docs: env.PASS', 'web: oauth', 'off: it is switched off', 'sock: sockets are unknown there',
    ]));
  });

  it('as Cursor has variables in its own way of writing them', () => {
    expect(parsed('cursor')).toEqual({
      mcpServers: {
        docs: {
          command: 'node', args: ['s.js', '--token=${env:DOCS_ARG_1}', '${env:ROOT}'],
          env: { API_KEY: '${env:API_KEY}', LEVEL: 'info', HOST: '${env:HOST}', DB_TOKEN: '${env:DB_TOKEN}', PASS: '${env:PASS}' },
        },
        web: {
          url: 'https://example.test/mcp?key=${env:WEB_WEB_KEY}&token=${env:WEB_TOKEN}',
          headers: { Authorization: 'Bearer ${env:WEB_BEARER_TOKEN}', 'X-Org': '${env:ORG}', 'X-Key': '${env:WEB_ASKED}' },
        },
      },
    });
  });

  it('as VS Code asks for each secret with a hidden input', () => {
    const inputs = ['docs-api-key', 'docs-db-token', 'docs-pass', 'web-token', 'web-web-key', 'web-bearertoken', 'web-asked'];
    const file = parsed('vscode');
    expect(file).toMatchObject({
      servers: {
        docs: {
          type: 'stdio', command: 'node', cwd: '/srv',
          env: { API_KEY: '${input:docs-api-key}', LEVEL: 'info', HOST: '${env:HOST}', DB_TOKEN: '${input:docs-db-token}', PASS: '${input:docs-pass}' },
        },
        web: {
          type: 'http', url: 'https://example.test/mcp?key=${input:web-web-key}&token=${input:web-token}',
          headers: { Authorization: 'Bearer ${input:web-bearertoken}', 'X-Org': '${env:ORG}', 'X-Key': '${input:web-asked}' },
        },
      },
    });
    const { inputs: read, entries } = readSource(write('vscode').text, { file: 'x', shape: 'vscode' });
    expect(read.map(({ id }) => id).toSorted()).toEqual(inputs.toSorted());
    expect(read.every(({ password }) => password)).toBe(true);
    const asked = JSON.stringify(entries).match(/\$\{input:[^}]+/g) ?? [];
    expect(new Set(asked.map((text) => text.slice('${input:'.length)))).toEqual(new Set(inputs));
  });

  it('of nothing is an empty map', () => {
    expect(JSON.parse(writeShape([], 'vscode').text)).toEqual({ servers: {} });
    expect(JSON.parse(writeShape([], 'gatehouse').text)).toEqual({ mcpServers: {} });
  });
});
