import { spawn } from 'node:child_process';
import { win32 } from 'node:path';
import { deadline } from '../../core/kernel/deadline.ts';
import type { Browser } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { childEnvironment, variable, type Environment, type Platform } from '../stdio/environment.ts';

export interface SystemBrowserOptions {
  readonly platform: Platform;
  readonly env: Environment;
  readonly run?: RunProgram;
  /** By then a program that cannot open anything has said so. Milliseconds. */
  readonly failsWithinMs?: number;
}
/** Resolves with the exit code, or with `running` when there is none by then: a browser may stay in the place of what opened it. Rejects when it cannot be started. */
export type RunProgram = (command: string, args: readonly string[], options: { readonly env: Environment; readonly failsWithinMs: number }, signal: AbortSignal) => Promise<number | 'running' | null>;

/** Opens addresses by the system's own program. The address is one argument, and no shell reads it. */
export function createSystemBrowser({ platform, env, run = runProgram, failsWithinMs = 3_000 }: SystemBrowserOptions): Browser {
  return {
    async open(url, signal) {
      signal.throwIfAborted();
      const program = openerOf(platform, env);
      if (!program) throw noBrowser('There is no desktop to open a browser on');
      const options = { env: childEnvironment(env, {}, { platform, ownRuntime: false }), failsWithinMs };
      const ended = await run(program.command, [...program.args, url], options, signal).catch((error: unknown) => {
        throw signal.aborted ? signal.reason : noBrowser(`${program.command}, which opens the browser, could not be started`, error);
      });
      if (ended !== 0 && ended !== 'running') throw noBrowser(`${program.command} could open no browser`);
    },
  };
}

async function runProgram(...[command, args, { env, failsWithinMs }, signal]: Parameters<RunProgram>): ReturnType<RunProgram> {
  const child = spawn(command, args, { env, shell: false, detached: true, windowsHide: true, stdio: 'ignore' });
  child.unref();
  using patience = deadline(failsWithinMs, signal);
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code));
    patience.signal.addEventListener('abort', () => (patience.expired() ? resolve('running') : reject(signal.reason)), { once: true });
  });
}

/** `undefined` where there is no screen to open one on. */
function openerOf(platform: Platform, env: Environment): { readonly command: string; readonly args: readonly string[] } | undefined {
  if (platform === 'darwin') return { command: '/usr/bin/open', args: [] };
  if (platform === 'win32') {
    const system = win32.join(variable(env, 'SystemRoot', platform) ?? 'C:\\Windows', 'System32', 'rundll32.exe');
    return { command: system, args: ['url.dll,FileProtocolHandler'] };
  }
  const desktop = [env['DISPLAY'], env['WAYLAND_DISPLAY'], env['BROWSER']].some((value) => (value ?? '') !== '');
  return desktop ? { command: 'xdg-open', args: [] } : undefined;
}

const noBrowser = (message: string, cause?: unknown): AppError => new AppError('user/needed', message, { data: { why: 'no-browser' }, cause });
