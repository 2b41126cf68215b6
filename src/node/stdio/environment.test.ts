import { expect, it } from 'vitest';
import { connected, nodeLaunch } from '../../../test/support/stdio-link.ts';
import { childEnvironment, mergedPath } from './environment.ts';

const strangers = {
  GATEHOUSE_HOME: '/h', GATEHOUSE_MCP_SERVERS: '{}', HARNESS_MCP_SERVERS: '{}', ELECTRON_RUN_AS_NODE: '1', ELECTRON_OZONE_PLATFORM_HINT: 'x', CHROME_DESKTOP: 'gatehouse.desktop',
  npm_config_registry: 'x', npm_lifecycle_event: 'start', INIT_CWD: '/x', NODE_OPTIONS: '--no-warnings', LD_PRELOAD: '', LD_LIBRARY_PATH: '/x', DYLD_INSERT_LIBRARIES: '/x',
  PYTHONSTARTUP: '/x', BASH_ENV: '/x', JAVA_TOOL_OPTIONS: '-x', APPIMAGE: '/x',
};
const own = { DOCKER_HOST: 'unix:///x', SSH_AUTH_SOCK: '/s', HTTPS_PROXY: 'http://p', NODE_EXTRA_CA_CERTS: '/ca', LANG: 'C' };

it('keeps from a server what belongs to the app, to Electron, to npm or to a loader, and hands on the rest', async () => {
  const link = await connected(nodeLaunch('versatile.mjs', [], { env: { ADDED: 'yes' } }), { env: { ...strangers, ...own, PATH: process.env['PATH'], TERM: 'xterm' } });
  const seen = JSON.parse(await link.call('environment')) as Record<string, string>; // our own server writes its environment
  expect(Object.keys(seen).filter((name) => name in strangers)).toEqual([]);
  expect(seen).toMatchObject({ ...own, ADDED: 'yes' });
});

it('lets a definition set any of them for its server', () => {
  const env = childEnvironment({ NODE_OPTIONS: 'app' }, { NODE_OPTIONS: 'own', ELECTRON_RUN_AS_NODE: '1' }, { platform: 'linux', ownRuntime: false });
  expect(env).toEqual({ NODE_OPTIONS: 'own', ELECTRON_RUN_AS_NODE: '1' });
});

it('lets the app’s own runtime keep the library paths that it may need to start', () => {
  const person = { LD_LIBRARY_PATH: '/app', NODE_OPTIONS: '--x', GATEHOUSE_HOME: '/h' };
  expect(childEnvironment(person, {}, { platform: 'linux', ownRuntime: true })).toEqual({ LD_LIBRARY_PATH: '/app' });
});

it('takes the folders away that npm put on PATH', () => {
  const PATH = '/w/node_modules/.bin:/node_modules/.bin:/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin:/usr/bin';
  expect(childEnvironment({ PATH, npm_lifecycle_event: 'start' }, {}, { platform: 'linux', ownRuntime: false })).toEqual({ PATH: '/usr/bin' });
  expect(childEnvironment({ PATH }, {}, { platform: 'linux', ownRuntime: false })).toEqual({ PATH });
});

it('[O2] knows on Windows that names differ by case alone', () => {
  const env = childEnvironment({ Path: 'C:\\a', electron_x: '1', Temp: 'C:\\t' }, { PATH: 'C:\\own' }, { platform: 'win32', ownRuntime: false });
  expect(env).toEqual({ PATH: 'C:\\own', Temp: 'C:\\t' });
});

it('joins two paths without saying a folder twice', () => {
  expect(mergedPath('/a:/b', '/b::/c', 'linux')).toBe('/a:/b:/c');
  expect(mergedPath(undefined, 'C:\\a;D:\\b', 'win32')).toBe('C:\\a;D:\\b');
  expect(mergedPath(undefined, '', 'linux')).toBeUndefined();
});
