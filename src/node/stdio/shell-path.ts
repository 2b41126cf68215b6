import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { basename } from 'node:path';
import { childEnvironment, definedOnly, mergedPath, type Environment } from './environment.ts';
import { killGroupsNow } from './process-tree.ts';

export interface LoginShellOptions {
  readonly env: Environment;
  /** The shell's own program; absent: `$SHELL`, then the one of the account. */
  readonly shell?: string;
  readonly timeLimitMs?: number;
}

/** Variables that describe the shell that was asked, not the person. */
const ofTheShell = ['_', 'SHLVL', 'PWD', 'OLDPWD', 'GATEHOUSE_READS_ENVIRONMENT'];

/**
 * The environment of a login and interactive shell, where people set PATH; `undefined` when the shell gives none within 5 s. What rc files
 * print is ignored, what they ask gets no answer, and what they leave running is ended.
 */
export async function loginShellEnvironment(options: LoginShellOptions): Promise<Environment | undefined> {
  const shell = options.shell ?? options.env['SHELL'] ?? accountShell();
  if (!shell || /^(nologin|false|true)$/.test(basename(shell))) return undefined;
  const mark = randomBytes(12).toString('hex');
  const printed = await askShell(shell, mark, options);
  const between = printed?.split(mark)[1];
  if (between === undefined) return undefined;
  const env: Record<string, string> = {};
  for (const entry of between.includes('\0') ? between.split('\0') : between.split('\n')) {
    const equals = entry.indexOf('=');
    const name = entry.slice(0, Math.max(0, equals));
    if (/^[^\s=]+$/.test(name) && !ofTheShell.includes(name)) env[name] = entry.slice(equals + 1);
  }
  return env['PATH'] === undefined ? undefined : env;
}

/** The shell that the system's list of accounts names. */
export function accountShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    // An account without an entry in the system's list.
    return undefined;
  }
}

function askShell(shell: string, mark: string, { env, timeLimitMs = 5_000 }: LoginShellOptions): Promise<string | undefined> {
  // In two halves, so that a shell that echoes its command does not seem to print the mark.
  const print = `printf %s%s ${mark.slice(0, 12)} ${mark.slice(12)}`;
  const command = `${print}; /usr/bin/env -0 2>/dev/null || /usr/bin/env; ${print}`;
  const flags = /^t?csh$/.test(basename(shell)) ? ['-ic'] : ['-ilc'];
  return new Promise((resolve) => {
    // A session of its own: an interactive shell would take the terminal from whoever started the app.
    const child = spawn(shell, [...flags, command], {
      env: { ...env, GATEHOUSE_READS_ENVIRONMENT: '1' },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    let printed = '';
    let finished = false;
    const finish = (): void => {
      if (finished) return;
      finished = true;
      clearTimeout(timer);
      child.stdout.destroy();
      if (child.pid !== undefined) killGroupsNow(child.pid);
      resolve(printed.split(mark).length > 2 ? printed : undefined);
    };
    const timer = setTimeout(finish, timeLimitMs);
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      printed += text;
      // Not at the end of the stream: what an rc file left in the background may hold it open for ever.
      if (printed.length > 4 * 1024 * 1024 || printed.split(mark).length > 2) finish();
    });
    child.stdout.on('close', finish);
    child.on('error', finish);
  });
}

export interface PersonEnvironmentOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** Started from a terminal, the app already has the shell's environment. */
  readonly fromTerminal: boolean;
  readonly timeLimitMs?: number;
}

/** The person's environment, asked for once: the login shell's for starts from the desktop, else the process's. Never fails. [O1] */
export function createPersonEnvironment(options: PersonEnvironmentOptions): () => Promise<Environment> {
  let answer: Promise<Environment> | undefined;
  return () => (answer ??= personEnvironment(options));
}

async function personEnvironment({ env, platform, fromTerminal, timeLimitMs }: PersonEnvironmentOptions): Promise<Environment> {
  const own = definedOnly(env);
  if (platform === 'win32' || fromTerminal) return own;
  // Loader variables of the app could keep the shell itself from starting.
  const asked = childEnvironment(own, {}, { platform, ownRuntime: false });
  const shell = await loginShellEnvironment({ env: asked, ...(timeLimitMs === undefined ? {} : { timeLimitMs }) });
  if (!shell) return own;
  const path = mergedPath(shell['PATH'], own['PATH'], platform);
  return { ...shell, ...(path === undefined ? {} : { PATH: path }) };
}

/** A desktop start has neither a terminal on its streams nor a terminal's name in its environment. */
export function startedFromTerminal(env: NodeJS.ProcessEnv, streams: readonly { readonly isTTY?: boolean }[]): boolean {
  return streams.some((stream) => stream.isTTY === true) || (env['TERM'] !== undefined && env['TERM'] !== '' && env['TERM'] !== 'dumb');
}
