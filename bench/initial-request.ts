import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import * as z from 'zod';
import { fitTools } from '../src/core/catalog/provider-fit.ts';
import { startModelServer, type ModelServer } from '../test/support/model-server.ts';
import { openCore } from './core-app.ts';
import type { Figure } from './figure.ts';
import { poll } from './poll.ts';
import { temporaryFolder } from './programs.ts';

const Listed = z.array(z.object({ server: z.string(), tools: z.array(z.looseObject({ name: z.string(), description: z.string().default(''), inputSchema: z.record(z.string(), z.unknown()) })) }));
type Tool = z.infer<typeof Listed>[number]['tools'][number];

/** The most that the definitions of a first request should cost. Tokens. */
const budget = 900;

/** The definitions of a chat's first request, in o200k tokens of the JSON as it was sent, beside those of a host that sends every tool in the same form. */
export async function initialRequest(): Promise<readonly Figure[]> {
  const all = realTools();
  const figures: Figure[] = [];
  for (const tools of [all.slice(0, 5), all, manyOf(all, 5_000)]) {
    await using model = await startModelServer();
    model.on({}, { text: 'Here I am.' });
    const sent = await firstRequest(model, tools);
    const plain = tokensOf(fitTools('anthropic', tools).offered.map(({ tool }) => ({ type: 'function', function: { name: tool.name, description: tool.description, parameters: tool.inputSchema } })));
    figures.push({ name: `initial-request-${tools.length}`, value: sent, baseline: plain, unit: 'tokens', goal: null });
    if (tools === all) figures.push({ name: 'initial-request', value: sent, baseline: budget, unit: 'tokens', goal: 1 });
  }
  return figures;
}

/** The tools of seventy servers, each name with its server's: as one list they are all different. */
function realTools(): readonly Tool[] {
  const servers = Listed.parse(JSON.parse(readFileSync(join(process.cwd(), 'test/fixtures/tool-retrieval/servers.json'), 'utf8')));
  return servers.flatMap(({ server, tools }, at) => tools.map((tool) => ({ ...tool, name: `${server.replaceAll(/\W/g, '_').slice(0, 24)}_${at}_${tool.name}`.slice(0, 60) })));
}
const manyOf = (tools: readonly Tool[], count: number): readonly Tool[] =>
  Array.from({ length: count }, (_, at) => tools[at % tools.length]).flatMap((tool, at) => (tool ? [{ ...tool, name: `t${at}_${tool.name}`.slice(0, 60) }] : []));

/** One server offers them all; what is sent depends on neither the number of tools nor of servers. */
async function firstRequest(model: ModelServer, tools: readonly Tool[]): Promise<number> {
  await using home = await temporaryFolder();
  const file = join(home.path, 'tools.json');
  await writeFile(file, JSON.stringify(tools));
  await using core = await openCore(join(home.path, 'home'));
  const offers = join(process.cwd(), 'test/servers/stdio/offers.mjs');
  const { serverId } = await core.ask('servers.add', { name: 'All', transport: { type: 'stdio', command: process.execPath, args: [offers, file], env: {} } });
  await core.toolOf(serverId, tools[0]?.name ?? '');
  const { providerId } = await core.ask('models.save-provider', { kind: 'openai-compatible', name: 'Bench', baseUrl: model.baseUrl('openai-compatible'), models: ['m'] });
  await core.ask('settings.update', { model: { providerId, model: 'm' } });
  const { chatId } = await core.ask('chats.create', {});
  await core.ask('chats.send', { chatId, text: 'hello' });
  const request = await poll(async () => model.requests().at(-1), 30_000, 'the app sent no request');
  return tokensOf(request?.body && 'tools' in request.body ? request.body.tools : []);
}

const tokensOf = (definitions: unknown): number => countTokens(JSON.stringify(definitions), { disallowedSpecial: new Set() });
