import { CommanderError } from 'commander';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { crashOf, failureDocument, failureOf, failureText, Stopped, type Failure } from './failure.ts';
import { jsonText } from './output.ts';
import { createProgram } from './program.ts';
import type { Cli } from './session.ts';
import { Terminal } from './terminal.ts';
import { ownVersion } from './version.ts';

/** How long a command may take to end after it was told to. Milliseconds. */
const partingMs = 5_000;

/** One command from its arguments to the exit code. The process ends by itself, with nothing left open. */
export async function runCli(args: readonly string[]): Promise<void> {
  const terminal = new Terminal(process, process.env);
  const stop = new AbortController();
  for (const [name, exit] of [['SIGINT', exitCodes.interrupted], ['SIGTERM', exitCodes.terminated], ['SIGHUP', exitCodes.terminated]] as const) {
    process.once(name, () => {
      stop.abort(new Stopped(exit));
      process.exitCode = exit;
      // A second one, or work that does not end, is not waited for.
      process.once(name, () => process.exit(exit));
      setTimeout(() => process.exit(exit), partingMs).unref();
    });
  }
  process.on('uncaughtException', (error) => {
    tell(crashOf(error), terminal, isJson(args));
    process.exit(exitCodes.failed);
  });
  // Whoever reads has read enough: `gatehouse mcp list | head -1`.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.done);
    throw error;
  });
  let verdict: ExitCode = exitCodes.done;
  const fail = (exit: ExitCode) => void (verdict = exit);
  const ended = await exitOf(args, { terminal, env: process.env, cwd: process.cwd(), version: ownVersion(), signal: stop.signal, fail });
  process.exitCode = ended === exitCodes.done ? verdict : ended;
}

async function exitOf(args: readonly string[], cli: Cli): Promise<ExitCode> {
  const json = isJson(args);
  let usage = '';
  const program = createProgram(cli, (text) => (json ? void (usage += text) : cli.terminal.remark(text)));
  try {
    await program.parseAsync([...args], { from: 'user' });
    return cli.signal.aborted ? stoppedBy(cli.signal) : exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCodes.done;
      if (json) cli.terminal.remark(jsonText({ error: { code: 'cli/usage', message: usage.split('\n')[0] ?? error.message } }));
      return exitCodes.failed;
    }
    if (cli.signal.aborted) return stoppedBy(cli.signal);
    const failure = failureOf(error);
    tell(failure, cli.terminal, json);
    return failure.exit;
  }
}

const isJson = (args: readonly string[]): boolean => args.includes('--json');
const tell = (failure: Failure, terminal: Terminal, json: boolean): void => terminal.remark(json ? jsonText(failureDocument(failure)) : failureText(failure));

const stoppedBy = ({ reason }: AbortSignal): ExitCode => (reason instanceof Stopped ? reason.exit : exitCodes.interrupted);
