import { InvalidArgumentError, type Command } from 'commander';
import type { ToolOutcome } from '../../shared/model/tool-call.ts';
import { visibleText } from '../../shared/text/visible-text.ts';
import { CliError } from '../cli-error.ts';
import { examples, withCommon } from '../options.ts';
import { oneLine } from '../output.ts';
import { answeringQuestions } from '../questions.ts';
import { Session, type Cli, type CommonOptions } from '../session.ts';

interface PageFlags extends CommonOptions {
  readonly limit?: number;
  readonly offset?: number;
}
interface ServerFlags extends CommonOptions {
  readonly server?: string;
}
const argumentBytes = 4_194_304;

/** What a model does through the gateway, for a person and for programs: the same actions, the same gate. */
export function toolsCommands(program: Command, cli: Cli): void {
  const tools = program.command('tools').description('find, look at and call the tools of all servers, as a model does').helpCommand(false);
  const add = (usage: string, description: string) => withCommon(tools.command(usage).description(description));
  const paged = (command: Command) => command.option('--limit <n>', 'how many at once, at most 100', wholeNumber).option('--offset <n>', 'from which on', wholeNumber);
  const use = async (flags: CommonOptions, args: Record<string, unknown>): Promise<void> => {
    await using session = await Session.open(cli, flags);
    await useGateway(session, args);
  };

  add('status', 'servers with their state and how many tools are known; nothing is connected').action((flags: CommonOptions) => use(flags, { action: 'status' }));
  paged(add('search', 'find tools by what they do').argument('<words...>', 'what the tool should do').option('--server <name>', 'only on this server, which is connected if need be'))
    .addHelpText('after', examples(['gatehouse tools search create an issue', 'the best first, over all servers that were seen before'], ['gatehouse tools search issue --server github --json', 'with schemas']))
    .action((words: readonly string[], flags: PageFlags & ServerFlags) => use(flags, { action: 'search', query: words.join(' '), includeSchemas: flags.json === true, ...server(flags), ...page(flags) }));
  paged(add('list', 'the tools of one server').argument('<server>', 'its name')).action((name: string, flags: PageFlags) => use(flags, { action: 'list', server: name, ...page(flags) }));
  add('describe', 'everything that is known of a tool').argument('<tool>', 'its name').option('--server <name>', 'whose, when several have one of that name')
    .action((tool: string, flags: ServerFlags) => use(flags, { action: 'describe', tool, ...server(flags) }));
  add('call', 'call a tool; a person is asked first, as for any call').argument('<tool>', 'its name').argument('[arguments]', 'a JSON object; - reads it from stdin', '{}').option('--server <name>', 'whose, when several have one of that name')
    .addHelpText('after', examples(['gatehouse tools call add_note \'{"title":"Plums","text":"Buy plums"}\'', 'asks here, or in the window of a running app, unless it is always allowed'], ['cat args.json | gatehouse tools call add_note - --json', 'the outcome as JSON; exit code 2 when there is nobody to ask']))
    .action(async (tool: string, text: string, flags: ServerFlags) => use(flags, { action: 'call', tool, args: objectOf(text === '-' ? await cli.terminal.readAll(argumentBytes, cli.signal) : text), ...server(flags) }));
  add('connect', 'connect a server, or read its lists anew').argument('<server>', 'its name').action((name: string, flags: CommonOptions) => use(flags, { action: 'connect', server: name }));
  add('instructions', 'what a server says of its use').argument('<server>', 'its name').action((name: string, flags: CommonOptions) => use(flags, { action: 'instructions', server: name }));
  paged(add('resources', 'what a server offers to read').argument('<server>', 'its name')).action((name: string, flags: PageFlags) => use(flags, { action: 'resources', server: name, ...page(flags) }));
  add('read', 'read a resource').argument('<server>', 'its name').argument('<uri>', 'exactly as it is listed').action((name: string, uri: string, flags: CommonOptions) => use(flags, { action: 'read-resource', server: name, uri }));
}

async function useGateway(session: Session, args: Record<string, unknown>): Promise<void> {
  const { outcome } = await sayingWhatIsWaitedFor(session, () => answeringQuestions(session, (signal) => session.client.request('own-tools.run', { name: 'mcp', args }, signal)));
  const refusal = refusalOf(outcome);
  if (refusal) throw refusal;
  session.report(documentOf(outcome, args['action'] === 'call' || args['action'] === 'read-resource'), () => visibleText(textOf(outcome)));
  // The tool's own error: its words are the answer, and the answer is bad news.
  if (outcome.kind !== 'succeeded') session.fail(1);
}

/** A use that signs in by itself waits for the browser, which may be on another screen (F-168). */
async function sayingWhatIsWaitedFor<T>(session: Session, work: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const said = new Set<string>();
  await session.client.follow(({ servers }) => {
    for (const { definition, signIn } of Object.values(servers)) {
      const flow = signIn?.flow;
      if (flow?.phase !== 'waiting' || said.has(flow.flowId)) continue;
      said.add(flow.flowId);
      session.remark(`A page in the browser waits for you to sign in to ${oneLine(definition.name)}.`);
    }
  }, AbortSignal.any([session.signal, over.signal]));
  return work().finally(() => over.abort());
}

/** What Gatehouse itself says no to; a tool's own error is an answer. */
function refusalOf(outcome: ToolOutcome): CliError | undefined {
  if (outcome.kind === 'succeeded') return undefined;
  if (outcome.kind !== 'tool-error') return new CliError(outcome.kind === 'failed' ? outcome.message : outcome.kind === 'denied' ? outcome.reason : 'The call was cancelled.');
  const code = codeOf(outcome);
  const need = code === undefined ? undefined : needs[code];
  return code === undefined ? undefined : new CliError(textOf(outcome), need === undefined ? {} : { exit: 'needsPerson', hint: need });
}

/** What only a person can give. */
const needs: Readonly<Record<string, string>> = {
  approval_required: 'Run it at a terminal, or while the window is open.',
  auth_required: 'Use `gatehouse mcp auth NAME` to sign in.',
};

const textOf = (outcome: ToolOutcome): string =>
  'result' in outcome ? outcome.result.parts.map((part) => ('text' in part ? part.text : part.type === 'unknown' ? part.json : `[${part.type}]`)).join('\n') : '';

/** The data of an answer of Gatehouse's own; the outcome of a call as it is. */
function documentOf(outcome: ToolOutcome, isCall: boolean): unknown {
  return isCall ? outcome : structuredOf(outcome);
}
function structuredOf(outcome: ToolOutcome): unknown {
  const structured = 'result' in outcome ? outcome.result.structured : undefined;
  return structured && 'json' in structured ? JSON.parse(structured.json) : null;
}
function codeOf(outcome: ToolOutcome): string | undefined {
  const data = structuredOf(outcome);
  if (typeof data !== 'object' || data === null || !('error' in data) || typeof data.error !== 'object' || data.error === null) return undefined;
  return 'code' in data.error && typeof data.error.code === 'string' ? data.error.code : undefined;
}

const server = ({ server: name }: ServerFlags): object => (name === undefined ? {} : { server: name });
const page = ({ limit, offset }: PageFlags): object => ({ ...(limit === undefined ? {} : { limit }), ...(offset === undefined ? {} : { offset }) });

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('A whole number is expected.');
  return value;
}
function objectOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below, as for JSON that is no object.
  }
  throw new CliError('The arguments must be a JSON object, such as {"title":"Plums"}.');
}
