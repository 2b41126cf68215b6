import type { Command } from 'commander';
import { examples, withCommon } from '../options.ts';
import { oneLine } from '../output.ts';
import { namedProject } from '../project.ts';
import { Session, type Cli, type CommonOptions } from '../session.ts';

export function openCommand(program: Command, cli: Cli): void {
  withCommon(program.command('open').argument('[folder]', 'the folder of a project', '.').description('open a project in the running app, or for its next start'))
    .addHelpText('after', examples(['gatehouse open .', 'the window shows this folder\'s servers and files']))
    .action(async (path: string, flags: CommonOptions) => {
      const folder = await namedProject(path, cli.cwd);
      await using session = await Session.open(cli, flags);
      await session.client.request('settings.open-project', { folder }, session.signal);
      session.report({ project: folder, running: session.client.where === 'app' }, () => session.paint('green', `✓ The open project is ${oneLine(folder)}`));
    });
}
