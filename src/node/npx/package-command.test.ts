import { expect, it } from 'vitest';
import { readPackageCommand } from './package-command.ts';

const any = { kind: 'any' };
it.each<readonly [string, readonly string[], object]>([
  ['npx', ['pkg'], { spec: 'pkg', name: 'pkg', wanted: any, args: [] }],
  ['npx', ['-y', 'pkg', '--root', '/x'], { spec: 'pkg', name: 'pkg', wanted: any, args: ['--root', '/x'] }],
  ['/opt/node/bin/npx', ['--yes', '@a/b@1.2.3', '-y'], { spec: '@a/b@1.2.3', name: '@a/b', wanted: { kind: 'exact', version: '1.2.3' }, args: ['-y'] }],
  ['npx.cmd', ['pkg@latest'], { spec: 'pkg@latest', name: 'pkg', wanted: { kind: 'latest' }, args: [] }],
  ['npx', ['pkg@^1.2'], { spec: 'pkg@^1.2', name: 'pkg', wanted: { kind: 'range' }, args: [] }],
  ['npx', ['pkg@next', '--', 'x'], { spec: 'pkg@next', name: 'pkg', wanted: { kind: 'range' }, args: ['--', 'x'] }],
  ['npx', ['-y', '-p', '@a/b@2.0.0-rc.1', 'run-b', 'x'], { spec: '@a/b@2.0.0-rc.1', name: '@a/b', wanted: { kind: 'exact', version: '2.0.0-rc.1' }, bin: 'run-b', args: ['x'] }],
  ['npx', ['--package=pkg', '--', 'run'], { spec: 'pkg', name: 'pkg', wanted: any, bin: 'run', args: [] }],
  ['npm', ['exec', '--package', 'pkg', '--', 'run', '--flag'], { spec: 'pkg', name: 'pkg', wanted: any, bin: 'run', args: ['--flag'] }],
  ['npm', ['exec', '-y', '--package=pkg', '--', 'run'], { spec: 'pkg', name: 'pkg', wanted: any, bin: 'run', args: [] }],
])('[F-176] %s %j is understood', (command, args, expected) => {
  expect(readPackageCommand(command, args)).toEqual(expected);
});

it.each<readonly [string, readonly string[]]>([
  ['npx', []],
  ['npx', ['-y']],
  ['npx', ['-c', 'pkg --flag']],
  ['npx', ['--registry=https://a.example', 'pkg']],
  ['npx', ['-p', 'one', '-p', 'two', 'run']],
  ['npx', ['-p']],
  ['npx', ['--no-install', 'pkg']],
  ['npx', ['./local']],
  ['npx', ['github:a/b']],
  ['npx', ['git+ssh://a.example/b.git']],
  ['npx', ['pkg@npm:other@1']],
  ['npx', ['pkg@file:../x']],
  ['npx', ['https://a.example/x.tgz']],
  ['npm', ['exec', 'pkg']],
  ['npm', ['exec', '--package', 'pkg', 'run']],
  ['npm', ['exec', '--', 'pkg']],
  ['npm', ['run', 'x']],
  ['node', ['npx', 'pkg']],
  ['pnpm', ['exec', '--package', 'pkg', '--', 'run']],
])('[F-176] %s %j stays as it is', (command, args) => {
  expect(readPackageCommand(command, args)).toBeUndefined();
});
