import type { Command } from 'commander';
import type { ValidationReport } from '../../shared/ipc/contract/config.ts';
import type { ConfigIssue } from '../../shared/model/source.ts';
import { exitCodes } from '../exit-codes.ts';
import { examples, milliseconds, scopeOption, serverName, withCommon } from '../options.ts';
import { counted, oneLine } from '../output.ts';
import { answeringQuestions } from '../questions.ts';
import { Session, type Cli, type CommonOptions } from '../session.ts';

interface ValidateFlags extends CommonOptions {
  readonly scope: 'global' | 'project' | 'effective';
}
interface TestFlags extends ValidateFlags {
  readonly timeout: number;
}

export function checkCommands(mcp: Command, cli: Cli): void {
  withCommon(mcp.command('validate').description('check the definitions by schema alone: nothing is started, resolved or fetched'))
    .addOption(scopeOption('effective', ['effective']))
    .addHelpText('after', '\nWhether a server can be reached is what `gatehouse mcp test NAME` finds out.\n')
    .action(async (flags: ValidateFlags) => {
      await using session = await Session.open(cli, flags);
      await validate(session, flags);
    });

  withCommon(mcp.command('test').argument('[name]', 'the server; without one, the same as validate', serverName))
    .description('start or contact one server, shake hands and list its tools')
    .addOption(scopeOption('effective', ['effective']))
    .option('--timeout <ms>', 'give up after so many milliseconds, at most 30000', milliseconds, 20_000)
    .addHelpText('after', examples(['gatehouse mcp test docs', 'valid, unreachable or error; what it starts is gone when it answers'], ['gatehouse mcp test', 'every definition, by schema alone']))
    .action(async (name: string | undefined, flags: TestFlags) => {
      await using session = await Session.open(cli, flags);
      await (name === undefined ? validate(session, flags) : probe(session, name, flags));
    });
}

async function validate(session: Session, { scope }: ValidateFlags): Promise<void> {
  if (scope === 'project') await session.needScope('project');
  const report = await session.client.request('config.validate', { scope }, session.signal);
  const errors = report.issues.filter(({ severity }) => severity === 'error');
  const warnings = report.issues.filter(({ severity }) => severity === 'warning');
  session.report({ ok: report.ok, servers: report.servers, errors, warnings }, () => validationText(session, report));
  if (!report.ok) session.fail(exitCodes.failed);
}

export const issueLine = ({ code, file, line, column, path, message }: ConfigIssue): string =>
  `${oneLine(file)}${line === undefined ? '' : `:${line}:${column ?? 1}`}: ${code}: ${oneLine(message)}${path === '' ? '' : ` (${oneLine(path)})`}`;

function validationText({ paint }: Session, { ok, servers, issues }: ValidationReport): string {
  const lines = issues.map((issue) => paint(issue.severity === 'error' ? 'red' : 'yellow', issueLine(issue)));
  const verdict = ok ? paint('green', `✓ ${counted(servers, 'server')}: all valid`) : paint('red', `✗ ${counted(servers, 'server')}: ${counted(issues.filter(({ severity }) => severity === 'error').length, 'error')}`);
  return [...lines, verdict].join('\n');
}

async function probe(session: Session, name: string, { timeout }: TestFlags): Promise<void> {
  const { definition: { id: serverId } } = await session.server(name);
  const result = await answeringQuestions(session, (signal) => session.client.request('servers.test', { serverId, timeoutMs: timeout }, signal));
  session.report({ name, ...result }, () => {
    const said = result.message === undefined ? '' : `: ${oneLine(result.message)}`;
    const tools = result.tools === undefined ? '' : ` (${counted(result.tools, 'tool')})`;
    return result.status === 'valid' ? session.paint('green', `✓ ${oneLine(name)} is valid${tools}`) : session.paint('red', `✗ ${oneLine(name)}: ${result.status}${said}`);
  });
  if (result.status !== 'valid') session.fail(exitCodes.failed);
}
