import type { Command } from 'commander';
import type { ConfigScope } from '../../shared/model/config-value.ts';
import { CliError } from '../cli-error.ts';
import { examples, scopeOption, serverName, withCommon } from '../options.ts';
import { oneLine } from '../output.ts';
import { Session, type Cli, type CommonOptions } from '../session.ts';
import { ownEntry, unlessChanged } from './edit.ts';

interface ScopeFlags extends CommonOptions {
  readonly scope: ConfigScope;
}

export function switchCommands(mcp: Command, cli: Cli): void {
  for (const enabled of [true, false]) {
    const verb = enabled ? 'enable' : 'disable';
    withCommon(mcp.command(verb).argument('<name>', 'the server', serverName))
      .description(enabled ? 'switch a server on in one scope, also one that a lower file switches off' : 'switch a server off in one scope, wherever it is defined')
      .addOption(scopeOption('project'))
      .addHelpText('after', examples([`gatehouse mcp ${verb} docs`, enabled ? 'it runs in this project again' : 'it does not run in this project; where it is defined stays untouched']))
      .action(async (name: string, flags: ScopeFlags) => {
        await using session = await Session.open(cli, flags);
        await session.needScope(flags.scope);
        const { client, signal } = session;
        const file = await unlessChanged(async () => {
          const view = await client.request('config.scope', { scope: flags.scope }, signal);
          const entry = view.entries.find((candidate) => candidate.name === name);
          if (!entry) throw new CliError(`There is no server “${oneLine(name)}” in the ${flags.scope} scope.`, { hint: 'Use `gatehouse mcp list` to see what there is.' });
          await client.request('config.save', { scope: flags.scope, edits: [{ op: 'patch', name, fields: { enabled }, seen: entry.seen }] }, signal);
          return view.file;
        }, signal);
        session.report({ [`${verb}d`]: name, scope: flags.scope, file }, () => session.paint('green', `✓ ${enabled ? 'Enabled' : 'Disabled'} MCP server "${oneLine(name)}" in ${flags.scope} scope`));
      });
  }
}

export function removeCommand(mcp: Command, cli: Cli): void {
  withCommon(mcp.command('remove').alias('rm').argument('<name>', 'the server', serverName))
    .description('take a server out of one scope; one of the same name below it holds again')
    .addOption(scopeOption('project'))
    .addHelpText('after', examples(['gatehouse mcp remove docs --scope global', 'its secrets stay in the vault']))
    .action(async (name: string, flags: ScopeFlags) => {
      await using session = await Session.open(cli, flags);
      await session.needScope(flags.scope);
      const { client, signal } = session;
      const file = await unlessChanged(async () => {
        const view = await client.request('config.scope', { scope: flags.scope }, signal);
        const { seen } = ownEntry(view, name, flags.scope);
        await client.request('config.save', { scope: flags.scope, edits: [{ op: 'remove', name, seen }] }, signal);
        return view.file;
      }, signal);
      session.report({ removed: name, scope: flags.scope, file }, () => session.paint('green', `✓ Removed MCP server "${oneLine(name)}" from ${flags.scope} scope`));
    });
}
