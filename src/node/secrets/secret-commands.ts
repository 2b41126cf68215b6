import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { Secret } from '../../core/kernel/secret.ts';
import type { SecretCommands } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { childEnvironment, variable, type Environment, type Platform } from '../stdio/environment.ts';
import { killGroupsNow } from '../stdio/process-tree.ts';
import { accountShell } from '../stdio/shell-path.ts';

export interface SecretCommandsOptions {
  readonly platform: Platform;
  readonly personEnvironment: () => Promise<Environment>;
  /** Where commands start; when it is not there, where the app does. */
  readonly homeFolder: string;
  readonly timeLimitMs?: number;
}

const largestOutput = 1024 * 1024;
/** How long the last of what was printed may take to arrive: an agent that the command left behind may hold the pipe open for ever. */
const drainMs = 200;

/** `!command` values by the person's own shell. What a command starts is ended with it when it is cut short. */
export function createSecretCommands(options: SecretCommandsOptions): SecretCommands {
  return {
    async run(command, signal) {
      signal.throwIfAborted();
      const person = await options.personEnvironment();
      signal.throwIfAborted();
      return runCommand(command, person, options, signal);
    },
  };
}

type Why = 'timed-out' | 'too-large' | 'not-started' | 'exit' | 'empty';
const failed = (why: Why, message: string, data: object = {}): AppError => new AppError('secret/command-failed', message, { data: { why, ...data } });

function runCommand(command: string, person: Environment, options: SecretCommandsOptions, signal: AbortSignal): Promise<Secret> {
  const { platform, timeLimitMs = 10_000 } = options;
  const { file, args, verbatim } = shellLine(command, person, platform);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let settled = false;
    let drain: NodeJS.Timeout | undefined;
    const child = spawn(file, [...args], {
      cwd: folderOr(options.homeFolder),
      env: childEnvironment(person, {}, { platform, ownRuntime: false }),
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
    });
    const settle = (end: () => void): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      clearTimeout(drain);
      signal.removeEventListener('abort', abort);
      child.stdout.destroy();
      end();
    };
    /** Cut short: nothing that it started may go on. */
    const cut = (error: unknown): void =>
      settle(() => {
        if (child.pid !== undefined) killGroupsNow(child.pid);
        reject(error);
      });
    const abort = (): void => cut(signal.reason);
    const timer = setTimeout(() => cut(failed('timed-out', `The secret command timed out after ${timeLimitMs / 1_000} seconds`)), timeLimitMs);
    signal.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > largestOutput) cut(failed('too-large', 'The output of the secret command exceeded 1 MiB'));
      else chunks.push(chunk);
    });
    child.stdout.on('error', () => undefined);
    child.once('error', () => settle(() => reject(failed('not-started', 'The secret command failed to start: its shell cannot be run'))));
    child.once('exit', (exitCode, killedBy) => {
      const finish = (): void =>
        settle(() => {
          const value = Buffer.concat(chunks).toString('utf8').trim();
          if (exitCode === null) reject(failed('exit', `The secret command was ended by ${killedBy ?? 'a signal'}`));
          else if (exitCode !== 0) reject(failed('exit', `The secret command ended with exit code ${exitCode}`, { exitCode }));
          else if (value === '') reject(failed('empty', 'The secret command gave empty output'));
          else resolve(new Secret(value));
        });
      drain = setTimeout(finish, drainMs);
      child.once('close', finish);
    });
  });
}

/** The command is one argument of the person's shell: what it does with variables and pipes is the shell's. */
export function shellLine(command: string, person: Environment, platform: Platform): { readonly file: string; readonly args: readonly string[]; readonly verbatim: boolean } {
  if (platform === 'win32') return { file: variable(person, 'ComSpec', platform) ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${command}"`], verbatim: true };
  const own = person['SHELL'] || accountShell();
  // An account that may not log in has a shell that runs nothing.
  return { file: !own || /^(nologin|false|true)$/.test(basename(own)) ? '/bin/sh' : own, args: ['-c', command], verbatim: false };
}

function folderOr(folder: string): string | undefined {
  try {
    return statSync(folder).isDirectory() ? folder : undefined;
  } catch {
    // Absent, or in a place that may not be entered: not to start in.
    return undefined;
  }
}
