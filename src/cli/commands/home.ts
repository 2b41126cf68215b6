import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { BackupReport } from '../../shared/ipc/contract/home.ts';
import { CliError } from '../cli-error.ts';
import { examples, withCommon } from '../options.ts';
import { counted, oneLine } from '../output.ts';
import { Session, type Cli, type CommonOptions } from '../session.ts';

interface ArchiveFlags extends CommonOptions {
  readonly secrets?: boolean;
  readonly passphraseStdin?: boolean;
}

export function homeCommands(program: Command, cli: Cli): void {
  withCommon(program.command('backup').argument('<file>', 'a new file').description('keep everything of the home in one file'))
    .option('--secrets', 'the values of secrets too, encrypted with a passphrase that is asked for')
    .option('--passphrase-stdin', 'the same, with the passphrase from stdin')
    .addHelpText('after', examples(['gatehouse backup gatehouse.backup', 'without the values of secrets'], ['gatehouse backup gatehouse.backup --secrets', 'with them, under a passphrase']))
    .action(async (file: string, flags: ArchiveFlags) => {
      await using session = await Session.open(cli, flags);
      const passphrase = flags.secrets === true || flags.passphraseStdin === true ? await newPassphrase(cli, flags.passphraseStdin === true) : undefined;
      const report = await session.client.request('home.backup', { path: resolve(cli.cwd, file), ...(passphrase === undefined ? {} : { passphrase }) }, session.signal);
      session.report(report, () => `${session.paint('green', `✓ Kept in ${oneLine(report.path)}`)}\n${reportText(report)}`);
    });

  withCommon(program.command('restore').argument('<file>', 'a backup').description('put a backup in the place of the home, at the next start'))
    .option('--secrets', 'ask for the passphrase of its secrets')
    .option('--passphrase-stdin', 'read the passphrase from stdin')
    .addHelpText('after', '\nThe home as it is now is kept beside the new one.\n')
    .action(async (file: string, flags: ArchiveFlags) => {
      await using session = await Session.open(cli, flags);
      const asked = flags.passphraseStdin === true ? await fromStdin(cli) : flags.secrets === true ? await cli.terminal.askHidden('Passphrase (not shown): ', cli.signal) : undefined;
      const report = await session.client.request('home.restore', { path: resolve(cli.cwd, file), ...(asked === undefined ? {} : { passphrase: asked }) }, session.signal);
      session.report(report, () => `${session.paint('green', '✓ The backup is ready: the next start of Gatehouse uses it')}\n${reportText(report)}`);
    });
}

const reportText = ({ files, chats, secrets, bytes }: BackupReport): string =>
  `${counted(files, 'file')}, ${counted(chats, 'chat')}, ${counted(secrets, 'secret value')}, ${counted(bytes, 'byte')}`;

async function newPassphrase(cli: Cli, stdin: boolean): Promise<string> {
  if (stdin) return fromStdin(cli);
  const first = await cli.terminal.askHidden('Passphrase, at least 8 characters (not shown): ', cli.signal);
  const second = await cli.terminal.askHidden('The same once more: ', cli.signal);
  if (first !== second) throw new CliError('They are not the same. Nothing was written.');
  return first;
}

const fromStdin = async ({ terminal, signal }: Cli): Promise<string> => (await terminal.readAll(4_096, signal)).replace(/\r?\n$/, '');
