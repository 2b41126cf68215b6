import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';
import type { ModelTool } from '../../src/core/ports.ts';
import type { ProviderKind } from '../../src/shared/model/settings.ts';
import { startModelServer, type ModelServer } from './model-server.ts';
import { refusals, requestRefusals } from './provider-judge.ts';

export interface StrictModelServer extends Omit<ModelServer, 'url'> {
  /** Tools that are refused whatever they look like. */
  readonly refuse: Set<string>;
  /** Each request with its tools as they came over the wire, and what was wrong with them. */
  readonly asked: readonly { readonly kind: ProviderKind; readonly tools: readonly ModelTool[]; readonly refused: readonly string[]; readonly body: string }[];
}

const Function = z.object({ name: z.string(), description: z.string().default(''), parameters: z.record(z.string(), z.unknown()) });
/** How each provider is told of tools. */
const Body = z.object({
  tools: z
    .array(
      z.union([
        z.object({ functionDeclarations: z.array(z.object({ name: z.string(), description: z.string().default(''), parametersJsonSchema: z.record(z.string(), z.unknown()) })) })
          .transform(({ functionDeclarations }) => functionDeclarations.map(({ parametersJsonSchema: inputSchema, ...tool }) => ({ ...tool, inputSchema }))),
        z.object({ function: Function }).transform(({ function: { parameters: inputSchema, ...tool } }) => [{ ...tool, inputSchema }]),
        z.object({ name: z.string(), description: z.string().default(''), input_schema: z.record(z.string(), z.unknown()) }).transform(({ input_schema: inputSchema, ...tool }) => [{ ...tool, inputSchema }]),
        // Left out, `strict` is on for Responses.
        Function.extend({ strict: z.literal(false) }).transform(({ parameters: inputSchema, strict: _strict, ...tool }) => [{ ...tool, inputSchema }]),
      ]),
    )
    .default([])
    .transform((groups) => groups.flat()),
});

/**
 * A stand-in for all four model providers that refuses a request as they do: with 400 and the place of the first tool that breaks one of
 * their rules. What it takes is answered by the scripted one behind it.
 */
export async function startStrictModelServer(): Promise<StrictModelServer> {
  const behind = await startModelServer();
  const refuse = new Set<string>();
  const asked: StrictModelServer['asked'][number][] = [];
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await textOf(request);
    const kind = kindOf(request.url ?? '');
    if (request.method === 'POST') {
      const { tools } = Body.parse(JSON.parse(body));
      const wrong = tools.map((tool) => (refuse.has(tool.name) ? ['not to my taste'] : refusals(kind, tool)));
      const together = requestRefusals(kind, tools);
      asked.push({ kind, tools, refused: [...together, ...wrong.flat()], body });
      const first = wrong.findIndex((one) => one.length > 0);
      if (together.length > 0 || first >= 0) {
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify(refusal(kind, together[0], first, tools[first]?.name ?? '', wrong[first]?.[0] ?? '')));
        return;
      }
    }
    const answered = await fetch(`${behind.url}${request.url ?? ''}`, { method: request.method ?? 'GET', headers: { 'content-type': 'application/json', ...keysOf(request) }, ...(body === '' ? {} : { body }) });
    response.writeHead(answered.status, { 'content-type': answered.headers.get('content-type') ?? 'application/json' });
    for await (const chunk of answered.body ?? []) response.write(chunk);
    response.end();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await behind.stop();
  };
  return {
    refuse,
    asked,
    baseUrl: (kind) => `http://127.0.0.1:${port}${kind === 'google' ? '/v1beta' : '/v1'}`,
    on: (match, reply, options) => behind.on(match, reply, options),
    requests: () => behind.requests(),
    forget: () => behind.forget(),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function kindOf(url: string): ProviderKind {
  if (url.includes('/messages')) return 'anthropic';
  if (url.includes('/responses')) return 'openai';
  return url.startsWith('/v1beta') ? 'google' : 'openai-compatible';
}

/** In the words of each provider, which are all that says which tool it was. */
function refusal(kind: ProviderKind, together: string | undefined, index: number, name: string, why: string): unknown {
  switch (kind) {
    case 'anthropic':
      return { type: 'error', error: { type: 'invalid_request_error', message: together ?? `tools.${index}.custom.input_schema: ${why}` } };
    case 'openai':
      return { error: { message: together ?? `Invalid schema for function '${name}': ${why}`, type: 'invalid_request_error', param: `tools[${index}].parameters`, code: 'invalid_function_parameters' } };
    case 'openai-compatible':
      return { error: { message: `Invalid 'tools${together === undefined ? `[${index}].function.parameters` : ''}': ${together ?? why}`, type: 'invalid_request_error', param: null, code: null } };
    case 'google':
      return { error: { code: 400, message: together ?? `* GenerateContentRequest.tools[0].function_declarations[${index}].parameters_json_schema: ${why}`, status: 'INVALID_ARGUMENT' } };
  }
}

function keysOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(['authorization', 'x-api-key', 'x-goog-api-key', 'anthropic-version'].flatMap((name) => (typeof request.headers[name] === 'string' ? [[name, request.headers[name]]] : [])));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
