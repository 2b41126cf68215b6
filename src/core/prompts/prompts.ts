import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import type { ChatId, ServerId } from '../../shared/ids.ts';
import type { PromptAnswer, PromptCommand } from '../../shared/model/prompt-command.ts';
import { promptArguments, promptUsage } from '../../shared/text/prompt-words.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { ConnectionPool } from '../connections/pool.ts';
import type { CompletionWanted } from '../connections/session.ts';
import { keeperOf } from '../contents/keeper.ts';
import type { OutputCaps } from '../guard/output-caps.ts';
import type { ContentStore } from '../ports.ts';
import { promptCommands } from './prompt-commands.ts';
import { promptMessage } from './prompt-message.ts';

export interface PromptsDeps {
  readonly catalog: Pick<Catalog, 'servers'>;
  readonly isOn: (serverId: ServerId) => boolean;
  readonly pool: Pick<ConnectionPool, 'use'>;
  readonly contents: Pick<ContentStore, 'put'>;
  readonly mask: (text: string) => string;
  readonly caps: () => OutputCaps;
}

const Completed = z.object({ completion: z.object({ values: z.array(z.unknown()), hasMore: z.boolean().optional().catch(undefined) }) });
/** A server may answer with this many values, by the protocol. */
const valuesLimit = 100;
const valueLimit = 2_000;

/** What servers' prompts become in a chat, and what servers suggest while one is filled in. A person alone calls them. */
export class Prompts {
  readonly #deps: PromptsDeps;

  constructor(deps: PromptsDeps) {
    this.#deps = deps;
  }

  /** Of servers that are switched on, as each is known now: nothing is connected (F-145). */
  commands(): readonly PromptCommand[] {
    return promptCommands(this.#deps.catalog.servers().filter(({ serverId }) => this.#deps.isOn(serverId)));
  }

  /** A command as it was typed, with its arguments. Nothing is asked of the server while one that it needs is missing (F-146). Throws `request/invalid` for what is no command, and what connecting throws. */
  async typed(text: string, chatId: ChatId | undefined, signal: AbortSignal): Promise<PromptAnswer> {
    const [head = ''] = /^\S*/.exec(text) ?? [];
    const found = this.commands().find(({ command }) => command === head);
    if (!found) throw new AppError('request/invalid', `There is no prompt ${head.slice(0, 200)}`);
    const parsed = promptArguments(text.slice(head.length), found.prompt);
    if (!parsed.ok) return { kind: 'usage', usage: promptUsage(found.command, found.prompt), missing: parsed.missing, ...(parsed.problem === undefined ? {} : { problem: parsed.problem }) };
    return this.#get(found, parsed.args, chatId, signal);
  }

  /** One by its server and name, with arguments from a form. */
  async filled(serverId: ServerId, name: string, args: Readonly<Record<string, string>>, chatId: ChatId | undefined, signal: AbortSignal): Promise<PromptAnswer> {
    const server = this.#deps.catalog.servers().find((one) => one.serverId === serverId);
    const prompt = server?.prompts.find((one) => one.name === name);
    if (!server || !prompt) throw new AppError('request/invalid', `There is no prompt “${name.slice(0, 200)}”`);
    const missing = prompt.arguments.filter((one) => one.required && (args[one.name] ?? '').trim() === '').map((one) => one.name);
    if (missing.length > 0) return { kind: 'usage', usage: promptUsage(name, prompt), missing };
    return this.#get({ command: name, serverId, serverName: server.serverName, prompt, cached: false }, args, chatId, signal);
  }

  /** Values that the server suggests, best first: at most 100. Nothing from a server that suggests nothing. */
  async complete(serverId: ServerId, wanted: CompletionWanted, signal: AbortSignal): Promise<{ readonly values: readonly string[]; readonly more: boolean }> {
    const raw = await this.#deps.pool.use(serverId, (session, using) => session.complete(wanted, using), signal);
    const parsed = Completed.safeParse(raw);
    if (!parsed.success) return { values: [], more: false };
    const { values, hasMore } = parsed.data.completion;
    const texts = values.filter((value) => typeof value === 'string' && value.length <= valueLimit).map((value) => this.#deps.mask(String(value)));
    return { values: [...new Set(texts)].slice(0, valuesLimit), more: hasMore === true || texts.length > valuesLimit };
  }

  async #get(found: PromptCommand, args: Readonly<Record<string, string>>, chatId: ChatId | undefined, signal: AbortSignal): Promise<PromptAnswer> {
    const { pool, contents, mask, caps } = this.#deps;
    const raw = await pool.use(found.serverId, (session, using) => session.getPrompt(found.prompt.name, args, using), signal);
    const keeper = keeperOf(chatId === undefined ? { kind: 'person' } : { kind: 'direct', chatId });
    return promptMessage(raw, found, { mask, caps: caps(), keep: (source, mimeType) => contents.put(keeper, source, mimeType, signal) });
  }
}
