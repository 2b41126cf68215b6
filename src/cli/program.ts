import { Command } from 'commander';
import { addCommand } from './commands/add.ts';
import { authCommand } from './commands/auth.ts';
import { checkCommands } from './commands/check.ts';
import { editCommand } from './commands/edit.ts';
import { adoptCommand, discoverCommand, exportCommand, importCommand } from './commands/exchange.ts';
import { homeCommands } from './commands/home.ts';
import { initCommand } from './commands/init.ts';
import { listCommand } from './commands/list.ts';
import { loginsCommand, logoutCommand } from './commands/logins.ts';
import { openCommand } from './commands/open.ts';
import { profilesCommands } from './commands/profiles.ts';
import { secretsCommands } from './commands/secrets.ts';
import { statusCommand } from './commands/status.ts';
import { removeCommand, switchCommands } from './commands/switch.ts';
import { toolsCommands } from './commands/tools.ts';
import { trustCommand } from './commands/trust.ts';
import { CliError } from './cli-error.ts';
import { completionCommands } from './completion.ts';
import { helpCommand } from './help-topics.ts';
import type { Cli } from './session.ts';

/** Every command. `complain` gets what commander says about a usage that makes no sense. */
export function createProgram(cli: Cli, complain: (text: string) => void): Command {
  const { terminal } = cli;
  const program = new Command('gatehouse')
    .description('Gatehouse: the one place where your MCP servers live. Works on the running app, or on its home when it does not run.')
    .version(cli.version)
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.print(text), writeErr: complain, getOutHelpWidth: () => terminal.width, getErrHelpWidth: () => terminal.width })
    .showHelpAfterError()
    .helpCommand(false)
    .addHelpText('after', '\nAnswers go to stdout, questions and remarks to stderr. `gatehouse help exit-codes` lists how commands end.\n');

  const mcp = program.command('mcp').description('servers: where they come from, what they are, whether they work').helpCommand(false);
  listCommand(mcp, cli);
  addCommand(mcp, cli);
  editCommand(mcp, cli);
  switchCommands(mcp, cli);
  removeCommand(mcp, cli);
  checkCommands(mcp, cli);
  authCommand(mcp, cli);
  logoutCommand(mcp, cli);
  loginsCommand(mcp, cli);
  importCommand(mcp, cli);
  exportCommand(mcp, cli);
  discoverCommand(mcp, cli);
  adoptCommand(mcp, cli);
  trustCommand(mcp, cli);
  secretsCommands(program, cli);
  profilesCommands(program, cli);
  toolsCommands(program, cli);
  initCommand(program, cli);
  statusCommand(program, cli);
  openCommand(program, cli);
  homeCommands(program, cli);
  program
    .command('install', { hidden: true })
    .argument('[anything...]')
    .allowUnknownOption()
    .action(() => {
      throw new CliError('There is nothing to install: Gatehouse is an app of its own.', {
        hint: 'Use `gatehouse init` to take in the files of other programs, and `gatehouse mcp add` or `gatehouse mcp import` for single servers.',
      });
    });
  helpCommand(program, terminal);
  completionCommands(program, cli);
  for (const command of everyCommand(program)) if (command.commands.length === 0) command.showHelpAfterError(shortHelp(command));
  return program;
}

const everyCommand = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(everyCommand)];

/** Of a command with thirty options, after one that was not understood: not all of them. */
function shortHelp(command: Command): string {
  const usage = command.createHelp().commandUsage(command);
  return `Usage: ${usage}\n\`${usage.split(' [')[0] ?? ''} --help\` explains it.`;
}
