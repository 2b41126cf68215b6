import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 's-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const script = (file: string, text: string): void => {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
};

describe.runIf(process.platform === 'linux')('the tests’ own desktop', () => {
  const inDesktop = (command: string): ReturnType<typeof spawnSync> & { readonly stdout: string } =>
    spawnSync('bash', ['scripts/with-desktop.sh', 'bash', '-c', command], { encoding: 'utf8', env: { ...process.env, TMPDIR: folder } });

  it('has a home and a folder for temporary files, and nothing of them stays', () => {
    const command = 'echo "$HOME"; echo "$TMPDIR"; mktemp; touch "$HOME/x"; echo "$DISPLAY $DBUS_SESSION_BUS_ADDRESS"';
    const { status, stdout } = inDesktop(command);
    const [home = '', temporary = '', file = '', session = ''] = stdout.split('\n');
    expect(status).toBe(0);
    expect(home.startsWith(folder)).toBe(true);
    expect(temporary.startsWith(home)).toBe(true);
    expect(file.startsWith(temporary)).toBe(true);
    expect(session).toMatch(/^:\d+ unix:/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('has an unlocked keyring', () => {
    const program = `
      const { AsyncEntry } = require('@napi-rs/keyring');
      const entry = () => new AsyncEntry('gatehouse-test', 'a', { linux: { store: 'secret-service' } });
      entry().setPassword('kept').then(() => entry().getPassword()).then((value) => process.stdout.write('got ' + value));`;
    writeFileSync(join(folder, 'keyring.cjs'), program);
    const { stdout } = inDesktop(`NODE_PATH="$PWD/node_modules" node "${join(folder, 'keyring.cjs')}"`);
    expect(stdout).toContain('got kept');
  });

  it('hands on how the command ended', () => {
    expect(inDesktop('exit 7').status).toBe(7);
  });
});

/** The count is tried on a clone whose vitest is a stand-in: it writes the given report and ends as told. */
describe.runIf(process.platform === 'linux')('the last line', () => {
  interface Ended {
    readonly status: number | null;
    readonly output: string;
    readonly last: string;
  }
  const check = (report: object | undefined, status: number, lint = 'exit 0'): Ended => {
    cpSync('scripts', join(folder, 'scripts'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    for (const name of ['package-lock.json', 'node_modules/.package-lock.json']) {
      mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
      writeFileSync(join(folder, name), '{"packages":{}}');
    }
    writeFileSync(join(folder, 'scripts/typecheck.mjs'), '');
    script(join(folder, 'scripts/with-desktop.sh'), '"$@"');
    script(join(folder, 'node_modules/.bin/oxlint'), lint);
    const written = report ? `mkdir -p out-tests; echo '${JSON.stringify(report)}' > out-tests/unit.json;` : '';
    script(join(folder, 'node_modules/.bin/vitest'), `${written} exit ${status}`);
    script(join(folder, 'bin/dpkg-query'), 'printf installed');
    const run = spawnSync(process.execPath, ['scripts/test.mjs', '--check'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` },
    });
    return { status: run.status, output: run.stdout, last: run.stdout.trimEnd().split('\n').at(-1) ?? '' };
  };
  const report = (passed: number, failed: number, skipped: number): object => ({
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: skipped,
    numTodoTests: 0,
  });
  const failures = (output: string): string => output.slice(output.indexOf('\nFAILED '), output.trimEnd().lastIndexOf('\n')).trim();

  it('counts what passed', () => {
    expect(check(report(12, 0, 0), 0)).toMatchObject({ status: 0, last: '12 passed, 0 failed' });
  });
  it('counts what failed and was skipped', () => {
    expect(check(report(12, 2, 3), 1)).toMatchObject({ status: 1, last: '12 passed, 2 failed, 3 skipped' });
  });
  it('comes after every failure with its words, where the end of a long log shows them', () => {
    const results = [
      { name: join(folder, 'a.test.ts'), message: '', assertionResults: [{ status: 'passed', fullName: 'fine', failureMessages: [] }, { status: 'failed', fullName: 'part goes wrong', failureMessages: ['expected 1 to be 2'] }] },
      { name: join(folder, 'b.test.ts'), message: 'cannot be imported', assertionResults: [] },
    ];
    const { output, last } = check({ ...report(1, 1, 0), testResults: results }, 1);
    expect(failures(output)).toBe('FAILED a.test.ts › part goes wrong\nexpected 1 to be 2\n\nFAILED b.test.ts\ncannot be imported');
    expect(last).toBe('1 passed, 1 failed');
  });
  it('counts a suite that broke outside its tests as a failure', () => {
    const { status, output, last } = check(report(12, 0, 0), 1);
    expect({ status, last }).toEqual({ status: 1, last: '12 passed, 1 failed' });
    expect(failures(output)).toContain('FAILED unit, outside its tests');
  });
  it('counts a suite that wrote no report as a failure', () => {
    expect(check(undefined, 0)).toMatchObject({ status: 1, last: '0 passed, 1 failed' });
  });
  it('is a failure when nothing ran', () => {
    expect(check(report(0, 0, 5), 0)).toMatchObject({ status: 1, last: '0 passed, 1 failed, 5 skipped' });
  });
  it('never says that nothing failed when a step before the tests did', () => {
    const { status, output, last } = check(report(12, 0, 0), 0, 'exit 1');
    expect(status).toBe(1);
    expect(output).toContain('lint failed; what comes after it was not run');
    expect(last).toBe('0 passed, 1 failed');
  });
});
