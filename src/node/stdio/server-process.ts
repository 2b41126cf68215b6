import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants, getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { ProcessEnd, ReadyStdioLaunch, TransportObserver } from '../../core/ports.ts';
import { removeContainer, startsContainer, withCidFile, type ContainerRecord } from './containers.ts';
import { childEnvironment, type Environment, type Platform } from './environment.ts';
import { spawnFailure } from './launch-failure.ts';
import type { LiveProcesses } from './live-processes.ts';
import { plainEntries, prepareLaunch, type PreparedLaunch } from './prepare-launch.ts';
import { startTimeOf } from './process-tree.ts';
import { launchVariable, makeRunningFolder, removeRunningFile, runningFolder, writeRunningFile } from './running-files.ts';
import { ServerStderr } from './server-stderr.ts';
import { stopPolitely, type StopWaits } from './stop-politely.ts';

export interface ServerProcessDeps {
  readonly home: string;
  readonly platform: Platform;
  readonly person: Environment;
  readonly live: LiveProcesses;
  readonly waits: StopWaits;
  /** Also writes a server's stderr to the app's own. */
  readonly debug: boolean;
}
export interface ServerProcessListener extends TransportObserver {
  stdout(chunk: Buffer): void;
  /** Nothing more comes on stdout, though the process may live on. */
  stdoutEnded(): void;
  ended(end: ProcessEnd): void;
}

/** How long the last words on stderr may take to arrive once the process has ended: a child of its own may hold the pipe open for ever. */
const drainMs = 200;

/**
 * On a busy machine the window and the person's clicks come before what servers do: fifty that start at once would keep the app from so much as
 * answering them. Only POSIX's nice value is fine enough for that; it is kept by what the server starts.
 */
const behindTheApp = 5;
function yieldToTheApp(pid: number, platform: Platform): void {
  if (platform === 'win32') return;
  try {
    setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + behindTheApp));
  } catch {
    // It has ended already, or may not be changed: it runs as it is.
  }
}

/** One server's process with all that it starts: found, started, recorded, and ended without a trace. */
export class ServerProcess {
  readonly pid: number;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #deps: ServerProcessDeps;
  readonly #container: ContainerRecord | undefined;
  readonly #containerEnv: Environment;
  readonly #ended: Promise<void>;
  #startTime: string | undefined;
  #recorded: Promise<void> = Promise.resolve();
  #stopping: Promise<void> | undefined;

  /** Throws `launch/command-not-found` or `launch/not-permitted`; nothing is left running then. */
  static async start(
    launch: ReadyStdioLaunch, listener: ServerProcessListener, deps: ServerProcessDeps, signal: AbortSignal,
  ): Promise<ServerProcess> {
    const prepared = await prepareLaunch(launch, deps.person, deps.platform);
    signal.throwIfAborted();
    makeRunningFolder(deps.home);
    const launchId = randomUUID();
    const cidFile = join(runningFolder(deps.home), `${launchId}.cid`);
    const container = startsContainer(prepared.program, prepared.args) ? { program: prepared.program, cidFile } : undefined;
    const options = { platform: deps.platform, ownRuntime: launch.ownRuntime };
    const mark = { [launchVariable]: launchId };
    let child: ChildProcessByStdio<Writable, Readable, Readable>;
    try {
      child = spawn(prepared.file, [...(container ? withCidFile(prepared.args, cidFile) : prepared.args)], {
        ...spawnOptions(prepared, deps.platform),
        env: childEnvironment(deps.person, { ...revealed(launch.env), ...mark }, options),
      });
      if (child.pid === undefined) await once(child, 'spawn');
      if (child.pid !== undefined) yieldToTheApp(child.pid, deps.platform);
    } catch (error) {
      throw spawnFailure(error, launch.command, prepared.program);
    }
    const started = new ServerProcess(child, listener, launch.debug === true ? { ...deps, debug: true } : deps, container, childEnvironment(deps.person, plainEntries(launch.env), options));
    try {
      await started.#record(prepared.program, launchId);
    } catch (error) {
      await started.stop();
      throw error;
    }
    return started;
  }

  private constructor(
    child: ChildProcessByStdio<Writable, Readable, Readable>, listener: ServerProcessListener, deps: ServerProcessDeps,
    container: ContainerRecord | undefined, containerEnv: Environment,
  ) {
    this.pid = child.pid ?? 0;
    this.#child = child;
    this.#deps = deps;
    this.#container = container;
    this.#containerEnv = containerEnv;
    deps.live.add(this.pid);
    const stderr = new ServerStderr(listener);
    child.stderr.on('data', (chunk: Buffer) => {
      stderr.push(chunk);
      if (deps.debug) process.stderr.write(chunk);
    });
    child.stdout.on('data', (chunk: Buffer) => listener.stdout(chunk));
    child.stdout.on('end', () => listener.stdoutEnded());
    // A broken pipe is told to whoever writes; the end of the process to everybody.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});
    this.#ended = new Promise((resolve) => {
      child.on('error', () => {});
      child.once('exit', (exitCode, signal) => {
        let told = false;
        const tell = (): void => {
          if (told) return;
          told = true;
          clearTimeout(timer);
          stderr.end();
          listener.ended({ ...(exitCode === null ? {} : { exitCode }), ...(signal === null ? {} : { signal }), stderr: stderr.tail });
          resolve();
        };
        const timer = setTimeout(tell, drainMs);
        child.once('close', tell);
      });
    });
  }

  /** What it writes stays with the system, which lets it write no more once its buffers are full. */
  pauseStdout(): void {
    this.#child.stdout.pause();
  }

  resumeStdout(): void {
    this.#child.stdout.resume();
  }

  /** Resolves when the system has taken the bytes. */
  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => this.#child.stdin.write(text, (error) => (error ? reject(error) : resolve())));
  }

  /** Ends the process and everything that it started, politely first; the same end for everyone who asks. Never fails. */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop());
  }

  async #stop(): Promise<void> {
    const { home, platform, waits, live } = this.#deps;
    await this.#recorded;
    const { stdin, stdout, stderr } = this.#child;
    const endStdin = (): void => {
      // What the server does not read would keep the end from reaching it.
      if (stdin.writableNeedDrain) stdin.destroy();
      else stdin.end();
    };
    const gone = await stopPolitely({ pid: this.pid, startTime: this.#startTime, endStdin, platform }, waits);
    if (this.#container) await removeContainer(this.#container, this.#containerEnv);
    if (gone) {
      await this.#ended;
      live.remove(this.pid);
      removeRunningFile(home, this.pid);
    }
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
  }

  #record(command: string, launchId: string): Promise<void> {
    const record = async (): Promise<void> => {
      const [startTime, ownStartTime] = await Promise.all([startTimeOf(this.pid), ownStart()]);
      this.#startTime = startTime;
      // Ended already: there is nothing to find again.
      if (startTime === undefined || ownStartTime === undefined) return;
      const container = this.#container ? { container: this.#container } : {};
      const owner = { pid: process.pid, startTime: ownStartTime };
      writeRunningFile(this.#deps.home, { pid: this.pid, startTime, command, launchId, owner, ...container });
    };
    const recording = record();
    this.#recorded = recording.catch(() => {});
    return recording;
  }
}

let own: string | undefined;
const ownStart = async (): Promise<string | undefined> => (own ??= await startTimeOf(process.pid));

/** The one place where secrets become text: they go straight to the new process. */
function revealed(env: ReadyStdioLaunch['env']): Environment {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, typeof value === 'string' ? value : value.reveal()]));
}

/** No shell in between, no console window, and on POSIX a group of its own, to be signalled as one. [F-47] [O2] [O3] */
export function spawnOptions(prepared: PreparedLaunch, platform: Platform) {
  return {
    cwd: prepared.cwd,
    stdio: ['pipe', 'pipe', 'pipe'] as ['pipe', 'pipe', 'pipe'], // spawn wants a tuple that it could change
    shell: false,
    detached: platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments: prepared.verbatim,
  };
}
