import type { Command } from 'commander';
import type { TrustQuestion, TrustServer, TrustStatus } from '../../shared/model/project-trust.ts';
import { CliError } from '../cli-error.ts';
import { examples, withCommon } from '../options.ts';
import { oneLine, type Paint } from '../output.ts';
import { Session, type Cli, type CommonOptions } from '../session.ts';

interface TrustFlags extends CommonOptions {
  readonly show?: boolean;
  readonly revoke?: boolean;
}

/** Trust is given by a person who read what it is for: at a terminal, and by no flag. */
export function trustCommand(mcp: Command, cli: Cli): void {
  withCommon(mcp.command('trust').description('see exactly what the files of this project would run and contact, and allow it'))
    .option('--show', 'show it, and ask nothing')
    .option('--revoke', 'take the trust away')
    .addHelpText('after', examples(['gatehouse mcp trust', 'asks at a terminal only; a change of the files asks again'], ['gatehouse mcp trust --show --json', 'the same facts for a script']))
    .action(async (flags: TrustFlags) => {
      await using session = await Session.open(cli, flags);
      await session.needScope('project');
      const { client, signal } = session;
      if (flags.revoke === true) {
        await client.request('projects.distrust', { project: session.project ?? '' }, signal);
        session.report({ project: session.project, revoked: true }, () => session.paint('green', '✓ The files of this project count no more'));
        return;
      }
      const { trust } = await client.state(signal);
      const asks = trust.phase === 'ask' || trust.phase === 'refused';
      if (flags.show === true || !asks) {
        session.report({ project: session.project, ...trust }, () => statusText(trust, session.paint));
        return;
      }
      if (!cli.terminal.hasPerson || flags.json === true) {
        throw new CliError('Trust is given by a person, at a terminal or in the window.', {
          exit: 'needsPerson', hint: 'Run `gatehouse mcp trust` at a terminal, or `gatehouse mcp trust --show` to read what it is about.',
        });
      }
      await ask(session, trust.question);
    });
}

async function ask({ cli, client, paint, signal }: Session, question: TrustQuestion): Promise<void> {
  const { project, digest } = question;
  cli.terminal.print(questionText(question, paint));
  if (await cli.terminal.confirm('Trust these files, as they are now?', signal)) {
    await client.request('projects.trust', { project, digest }, signal);
    cli.terminal.print(paint('green', '✓ Trusted. A change of the files asks again'));
  } else {
    await client.request('projects.refuse', { project, digest }, signal);
    cli.terminal.print('Not trusted: nothing of these files runs');
  }
}

function statusText(trust: TrustStatus, paint: Paint): string {
  switch (trust.phase) {
    case 'not-needed':
      return 'This project has no files that need trust.';
    case 'trusted':
      return paint('green', '✓ The files of this project are trusted, as they are now');
    case 'ask':
      return questionText(trust.question, paint);
    case 'refused':
      return `${questionText(trust.question, paint)}\n${paint('yellow', 'You said no to these files.')}`;
  }
}

function questionText({ project, again, files, servers, runs }: TrustQuestion, paint: Paint): string {
  return [
    `${paint('bold', oneLine(project))}${again ? ': its files changed since you trusted them' : ''}`,
    ...files.map(({ file, change }) => `  ${oneLine(file)} (${change})`),
    ...runs.map((one) => serverText({ name: 'every run', ...one }, paint)),
    ...servers.map((server) => serverText(server, paint)),
  ].join('\n');
}

function serverText({ name, file, change, facts, before }: TrustServer, paint: Paint): string {
  const lines = (all: TrustServer['facts'], sign: string) => all.map(({ kind, text }) => `${sign} ${kind}: ${oneLine(text)}`);
  const old = (before ?? []).filter((fact) => change === 'removed' || !facts.some(({ kind, text }) => kind === fact.kind && text === fact.text));
  return [
    `${paint('bold', oneLine(name))} (${change}, ${oneLine(file)})`,
    ...lines(old, '  -').map((line) => paint('red', line)),
    ...lines(facts, change === 'same' ? '   ' : '  +').map((line) => (change === 'same' ? line : paint('green', line))),
  ].join('\n');
}
