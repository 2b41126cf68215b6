import { resolve } from 'node:path';
import { homeFolder } from '../node/home/home-folder.ts';
import type { ConfigScope } from '../shared/model/config-value.ts';
import type { AppState, ServerRow } from '../shared/state/app-state.ts';
import type { CoreClient } from './client.ts';
import { CliError } from './cli-error.ts';
import { connect } from './connect.ts';
import type { ExitCode } from './exit-codes.ts';
import { oneLine, type Paint, painter, jsonText } from './output.ts';
import { namedProject, nearestProject } from './project.ts';
import type { Terminal } from './terminal.ts';

/** What every command is given. */
export interface Cli {
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly version: string;
  /** Ctrl-C, and a signal to end. */
  readonly signal: AbortSignal;
  /** What was asked for was done, and the answer is bad news. */
  readonly fail: (exit: ExitCode) => void;
}
/** Options that commands share. */
export interface CommonOptions {
  readonly json?: boolean;
  /** `true`: the nearest one. */
  readonly project?: string | true;
  readonly config?: string;
  readonly mcpConfig?: string;
}

/** One command at work on one core. */
export class Session implements AsyncDisposable {
  readonly cli: Cli;
  readonly client: CoreClient;
  /** The folder that the command means; absent outside of any project. */
  readonly project: string | undefined;
  readonly #named: boolean;
  readonly #json: boolean;

  private constructor(cli: Cli, client: CoreClient, project: string | undefined, options: CommonOptions) {
    this.cli = cli;
    this.client = client;
    this.project = project;
    this.#named = options.project !== undefined;
    this.#json = options.json === true;
  }

  static async open(cli: Cli, options: CommonOptions): Promise<Session> {
    const { env, cwd, terminal, version, signal } = cli;
    const project = typeof options.project === 'string' ? await namedProject(options.project, cwd) : await nearestProject(cwd, homeFolder(env));
    if (options.project === true && project === undefined) throw noProject();
    const config = options.config ?? options.mcpConfig;
    const configPath = config === undefined ? undefined : resolve(cwd, config);
    const client = await connect({ env, version, project, interaction: terminal.hasPerson ? 'person' : 'none', configPath }, signal);
    return new Session(cli, client, project, options);
  }

  get signal(): AbortSignal {
    return this.cli.signal;
  }

  get paint(): Paint {
    return painter(this.cli.terminal.colours);
  }

  /** One JSON document, or text for people. */
  report(document: unknown, text: () => string): void {
    this.cli.terminal.print(this.#json ? jsonText(document) : text());
  }

  /** What was asked for was done, and the answer is bad news. */
  fail(exit: ExitCode): void {
    this.cli.fail(exit);
  }

  /** For people only, and apart from the answer. */
  remark(text: string): void {
    if (!this.#json) this.cli.terminal.remark(text);
  }

  /** Whether the core has the command's project open. A running app keeps the one that its window shows. Throws when another one was named. */
  projectOpen(state: AppState): boolean {
    const open = state.settings.project;
    if (this.client.where === 'headless' || open === this.project) return this.project !== undefined;
    if (this.#named) throw otherProject(open, this.project);
    return false;
  }

  /** The server of this name in effect. */
  async server(name: string): Promise<ServerRow> {
    const state = await this.client.state(this.signal);
    this.projectOpen(state);
    const row = Object.values(state.servers).find(({ definition }) => definition.name === name);
    if (row) return row;
    const untrusted = state.trust.phase === 'ask' || state.trust.phase === 'refused';
    throw new CliError(`There is no server “${oneLine(name)}”.`, {
      hint: untrusted ? 'The files of this project are not trusted: use `gatehouse mcp trust`.' : 'Use `gatehouse mcp list` to see what there is.',
    });
  }

  /** Throws unless the scope can be worked on: a project's needs that project, open. */
  async needScope(scope: ConfigScope): Promise<void> {
    if (scope === 'global') return;
    if (this.project === undefined) throw noProject();
    const state = await this.client.state(this.signal);
    if (!this.projectOpen(state)) throw otherProject(state.settings.project, this.project);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client[Symbol.asyncDispose]();
  }
}

const noProject = (): CliError =>
  new CliError('This folder is in no project: neither it nor a folder above it holds .mcp.json, .gatehouse or .git.', {
    hint: 'Use --scope global, or --project PATH.',
  });
const otherProject = (open: string | undefined, wanted: string | undefined): CliError =>
  new CliError(open === undefined ? 'The running Gatehouse has no project open.' : `The running Gatehouse has another project open: ${oneLine(open)}.`, {
    hint: `Use \`gatehouse open ${oneLine(wanted ?? 'PATH')}\` to open this one there, or quit Gatehouse first.`,
  });
