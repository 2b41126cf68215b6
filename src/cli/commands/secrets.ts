import { Option, type Command } from 'commander';
import { ConfigScope, type SecretKey } from '../../shared/model/config-value.ts';
import { SecretPolicy } from '../../shared/model/secret-entry.ts';
import { CliError } from '../cli-error.ts';
import { examples, scopeOption, secretKey, withCommon } from '../options.ts';
import { counted, oneLine, table } from '../output.ts';
import { Session, type Cli, type CommonOptions } from '../session.ts';

interface ScopeFlags extends CommonOptions {
  readonly scope: ConfigScope;
}
const longestValue = 65_536;
const time = (at: number | undefined): string => (at === undefined ? 'never' : new Date(at).toISOString().replace('T', ' ').slice(0, 16));

/** No command shows a value: there is no way to get one back. */
export function secretsCommands(program: Command, cli: Cli): void {
  const secrets = program.command('secrets').description('keep, name and look after secrets; values are never shown').helpCommand(false);

  withCommon(secrets.command('list').alias('ls').description('secrets with their uses, never their values'))
    .addOption(new Option('--scope <scope>', 'only those of this scope').choices(ConfigScope.options))
    .action(async (flags: CommonOptions & { readonly scope?: ConfigScope }) => {
      await using session = await Session.open(cli, flags);
      const all = (await session.client.request('secrets.list', undefined, session.signal)).filter(({ scope }) => flags.scope === undefined || scope === flags.scope);
      session.report(all, () => {
        const rows = all.map(({ key, scope, policy, missing, lastReadAt, lastReadBy, usedBy }) => [
          key, scope, policy ?? 'default', missing ? { text: 'missing', colour: 'red' as const } : { text: 'stored' },
          `${time(lastReadAt)}${lastReadBy === undefined ? '' : ` by ${lastReadBy}`}`, usedBy.map(({ server, field }) => `${server} ${field}`).join(', ') || 'nothing',
        ]);
        return rows.length === 0 ? 'There are no secrets.' : table(['KEY', 'SCOPE', 'POLICY', 'STATE', 'LAST READ', 'USED BY'], rows, session.paint);
      });
    });

  withCommon(secrets.command('set').argument('<key>', 'its name', secretKey).description('store a secret, or give one a new value: typed unseen, or read from stdin'))
    .addOption(scopeOption('project'))
    .addOption(new Option('--policy <policy>', 'who may read it').choices(SecretPolicy.options))
    .addHelpText('after', examples(['gatehouse secrets set docs-token', 'asks for the value, unseen'], ['pass show docs | gatehouse secrets set docs-token --scope global', 'one line end after it is not part of the value']))
    .action(async (key: SecretKey, flags: ScopeFlags & { readonly policy?: SecretPolicy }) => {
      await using session = await Session.open(cli, flags);
      await session.needScope(flags.scope);
      const value = await valueOf(cli, key);
      const { scope, policy } = flags;
      await session.client.request('secrets.put', { scope, key, value, ...(policy === undefined ? {} : { policy }) }, session.signal);
      session.report({ stored: key, scope }, () => session.paint('green', `✓ Stored the ${scope} secret ${key}`));
    });

  withCommon(secrets.command('rename').argument('<key>', 'its name', secretKey).argument('<to>', 'its new name', secretKey).description('rename a secret, with the references to it in the files of Gatehouse'))
    .addOption(scopeOption('project'))
    .action(async (key: SecretKey, to: SecretKey, flags: ScopeFlags) => {
      await using session = await Session.open(cli, flags);
      await session.needScope(flags.scope);
      await session.client.request('secrets.rename', { scope: flags.scope, key, to }, session.signal);
      session.report({ renamed: key, to, scope: flags.scope }, () => session.paint('green', `✓ Renamed the ${flags.scope} secret ${key} to ${to}`));
    });

  withCommon(secrets.command('remove').alias('rm').argument('<key>', 'its name', secretKey).description('forget a secret'))
    .addOption(scopeOption('project'))
    .option('--force', 'also when a server uses it')
    .action(async (key: SecretKey, flags: ScopeFlags & { readonly force?: boolean }) => {
      await using session = await Session.open(cli, flags);
      await session.needScope(flags.scope);
      await session.client.request('secrets.remove', { scope: flags.scope, key, force: flags.force === true }, session.signal);
      session.report({ removed: key, scope: flags.scope }, () => session.paint('green', `✓ Removed the ${flags.scope} secret ${key}`));
    });

  withCommon(secrets.command('policy').argument('<key>', 'its name', secretKey).description('say who may read a secret: auto, prompt (asks once), deny, or default'))
    .addArgument(secrets.createArgument('<policy>', 'the policy').choices([...SecretPolicy.options, 'default']))
    .addOption(scopeOption('project'))
    .action(async (key: SecretKey, policy: SecretPolicy | 'default', flags: ScopeFlags) => {
      await using session = await Session.open(cli, flags);
      await session.needScope(flags.scope);
      await session.client.request('secrets.set-policy', { scope: flags.scope, key, policy: policy === 'default' ? null : policy }, session.signal);
      session.report({ key, scope: flags.scope, policy }, () => session.paint('green', `✓ The policy of ${key} is ${policy}`));
    });

  withCommon(secrets.command('literals').description('secrets that stand in files in the open'))
    .action(async (flags: CommonOptions) => {
      await using session = await Session.open(cli, flags);
      const found = await session.client.request('secrets.literals', undefined, session.signal);
      session.report(found, () => {
        const rows = found.map(({ source, file, line, server, field, suggestedKey, fixed }) => [source, server, field, suggestedKey, fixed ?? 'yes', `${file}${line === undefined ? '' : `:${line}`}`]);
        return rows.length === 0 ? 'None were found.' : table(['SOURCE', 'SERVER', 'FIELD', 'SUGGESTED KEY', 'CAN BE MOVED', 'FILE'], rows, session.paint);
      });
    });

  withCommon(secrets.command('move').argument('<server>', 'the server').argument('<field>', 'such as env.API_KEY').description('move a secret from a file of Gatehouse to the vault'))
    .option('--source <id>', 'which file, when more than one holds it')
    .option('--as <key>', 'its name; the suggested one unless given', secretKey)
    .action(async (server: string, field: string, flags: CommonOptions & { readonly source?: string; readonly as?: SecretKey }) => {
      await using session = await Session.open(cli, flags);
      const { client, signal } = session;
      const found = (await client.request('secrets.literals', undefined, signal)).filter((literal) => literal.server === server && literal.field === field && (flags.source ?? literal.source) === literal.source);
      const [literal] = found;
      if (literal === undefined) throw new CliError(`No secret stands in the open at ${oneLine(field)} of “${oneLine(server)}”.`, { hint: 'Use `gatehouse secrets literals` to see what there is.' });
      if (found.length > 1) throw new CliError('More than one file holds it.', { details: found.map(({ source, file }) => `--source ${oneLine(source)}: ${oneLine(file)}`) });
      const key = flags.as ?? literal.suggestedKey;
      await client.request('secrets.move-to-vault', { source: literal.source, server, field, as: key }, signal);
      session.report({ moved: field, server, key, scope: literal.scope }, () => session.paint('green', `✓ Moved ${oneLine(field)} of ${oneLine(server)} to the ${literal.scope} secret ${key}`));
    });

  withCommon(secrets.command('reset').description('begin again after the master key was lost: names stay, all values are forgotten'))
    .action(async (flags: CommonOptions) => {
      await using session = await Session.open(cli, flags);
      const { client, signal } = session;
      const { length } = await client.request('secrets.list', undefined, signal).catch(() => []);
      const words = 'forget all values';
      const typed = await cli.terminal.ask(`The values of ${length === 0 ? 'all secrets' : counted(length, 'secret')} will be gone for good. Type “${words}” to go on: `, signal);
      if (typed.trim() !== words) throw new CliError('Nothing was changed.');
      await client.request('secrets.reset-vault', { confirm: words }, signal);
      session.report({ reset: true }, () => session.paint('green', '✓ The vault has a new key. Set the values again with `gatehouse secrets set`'));
    });
}

/** Never an argument: those are in the shell's history, and every program sees them. */
async function valueOf({ terminal, signal }: Cli, key: SecretKey): Promise<string> {
  const value = terminal.isTyped ? await terminal.askHidden(`Value of ${key} (not shown): `, signal) : (await terminal.readAll(longestValue + 2, signal)).replace(/\r?\n$/, '');
  if (value === '') throw new CliError('There is no value.', { hint: 'Type it at a terminal, or give it on stdin.' });
  if (value.length > longestValue) throw new CliError('The value is longer than 65,536 characters.');
  return value;
}
