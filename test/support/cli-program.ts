import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildProgram } from './build-worker.ts';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What comes on stdin; nothing unless given. */
  readonly input?: string;
  /** In a terminal of its own, by `script`: what it prints is all in `stdout`, and `input` is typed. */
  readonly terminal?: boolean;
}

/** The command line, built as it ships and run as processes of its own. */
export class BuiltCli implements AsyncDisposable {
  readonly file: string;
  readonly #end: () => Promise<void>;

  private constructor(file: string, end: () => Promise<void>) {
    this.file = file;
    this.#end = end;
  }

  static async build(): Promise<BuiltCli> {
    const built = await buildProgram(join(import.meta.dirname, '../../src/cli/main.ts'));
    return new BuiltCli(built.file, async () => built[Symbol.asyncDispose]());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }
}

/** A person with a home, an own folder and a project, who types commands. */
export class CliPerson implements Disposable {
  readonly home: string;
  readonly folder: string;
  /** With a .git in it. */
  readonly project: string;
  readonly #cli: BuiltCli;
  readonly #root: string;

  /** In new folders, or in those of another. */
  constructor(cli: BuiltCli, like?: CliPerson) {
    this.#cli = cli;
    this.#root = like ? like.#root : realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-cli-')));
    this.home = join(this.#root, 'home');
    this.folder = join(this.#root, 'person');
    this.project = join(this.#root, 'project');
    mkdirSync(this.folder, { recursive: true });
    mkdirSync(join(this.project, '.git'), { recursive: true });
  }

  get env(): Readonly<Record<string, string>> {
    return {
      PATH: process.env['PATH'] ?? '', HOME: this.folder, XDG_CONFIG_HOME: join(this.folder, '.config'), GATEHOUSE_HOME: this.home, TERM: 'xterm-256color',
      // No keyring, whatever desktop the tests run in.
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus',
    };
  }

  start(args: readonly string[], { cwd = this.project, env = {}, terminal = false }: RunOptions = {}): ChildProcess {
    const words = [process.execPath, this.#cli.file, ...args];
    const [command = '', ...rest] = terminal ? ['script', '--quiet', '--return', '--command', words.map(quoted).join(' '), '/dev/null'] : words;
    return spawn(command, rest, { cwd, env: { ...this.env, ...env }, stdio: 'pipe' });
  }

  async run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    const child = this.start(args, options);
    const ended = once(child, 'close');
    const [stdout, stderr] = [collected(child.stdout), collected(child.stderr)];
    if (options.terminal === true && options.input !== undefined) typeWhenAsked(child, options.input);
    else child.stdin?.end(options.input ?? '');
    await ended;
    return { code: child.exitCode, stdout: stdout.text, stderr: stderr.text };
  }

  /** A command that is to succeed; what it printed. */
  async done(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, options);
    if (code !== 0) throw new Error(`gatehouse ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
    return stdout;
  }

  /** The document that a command prints with `--json`. */
  async json(args: readonly string[], options: RunOptions = {}): Promise<unknown> {
    return JSON.parse(await this.done([...args, '--json'], options));
  }

  /** Writes a file of this person's, and answers its path. */
  write(path: string, content: unknown): string {
    const file = join(this.#root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2));
    return file;
  }

  read(path: string): unknown {
    return JSON.parse(readFileSync(join(this.#root, path), 'utf8'));
  }

  /** Every byte under this person's folders. */
  everything(): string {
    return readdirSync(this.#root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
      .join('\n');
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

function collected(stream: NodeJS.ReadableStream | null): { readonly text: string } {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return {
    get text() {
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}

/** One line for each question: what is typed before somebody listens would be lost. */
function typeWhenAsked(child: ChildProcess, input: string): void {
  const lines = input.split('\n').filter((line) => line !== '');
  let seen = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    seen += chunk.toString();
    if (!/(\] |: )$/.test(seen)) return;
    seen = '';
    const next = lines.shift();
    if (next !== undefined) child.stdin?.write(`${next}\r`);
  });
}
