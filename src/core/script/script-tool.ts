import * as z from 'zod';
import type { ToolCallId } from '../../shared/ids.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import type { ToolResult } from '../../shared/model/content.ts';
import type { ScriptDetails } from '../../shared/model/script.ts';
import type { Caller, ToolOutcome } from '../../shared/model/tool-call.ts';
import { rawResult } from '../contents/raw-result.ts';
import { closing } from '../kernel/closing.ts';
import { answerOf, refused } from '../model-tools/action-answer.ts';
import { outcomeOf } from '../model-tools/own-result.ts';
import type { Actions, EarlierCall, OwnTool, OwnToolContext } from '../model-tools/own-tool.ts';
import type { Clock, ContentStore, ScriptSandbox, SealedStore } from '../ports.ts';
import type { ScriptReport } from './prelude.ts';
import { ScriptRecord } from './script-record.ts';
import { ScriptRun, type ScriptRunDeps } from './script-run.ts';

export interface ScriptToolDeps {
  readonly clock: Clock;
  readonly sandbox: ScriptSandbox;
  readonly sealed: SealedStore;
  readonly contents: Pick<ContentStore, 'read'>;
  /** Where a script does not say itself. Milliseconds; `null` for no limit. */
  readonly timeoutMs: () => number | null;
  /** What the script put out, through the guard. */
  readonly guarded: (text: string, caller: Caller, signal: AbortSignal) => Promise<ToolResult>;
}

/** A question waits for 24 hours at most; what is needed to go on is kept a little longer. */
const keptMs = 25 * 3_600_000;
const longestMs = 2_147_483_647;
const Args = z.strictObject({ code: z.string().min(1).max(1_000_000), timeoutMs: z.number().int().min(1).max(longestMs).nullable().optional() });

/** `mcp_script` (F-129 to F-142): code that calls tools. Policy and people are asked about each call as about any other. */
export function scriptTool(deps: ScriptToolDeps, actions: Actions): OwnTool {
  const begin = async (start: ConstructorParameters<typeof ScriptRun>[0], context: OwnToolContext, earlier: ScriptRunDeps['earlier'], signal: AbortSignal): Promise<ToolOutcome> => {
    const name = sealedName(context.callId);
    const keep: ScriptRunDeps['keep'] = async (record, keeping) => void (await deps.sealed.put(name, JSON.stringify(record), deps.clock.now() + keptMs, keeping));
    try {
      const { report, details, notes } = await new ScriptRun(start, { clock: deps.clock, sandbox: deps.sandbox, actions, keep, earlier }, context).run(signal);
      const result = await deps.guarded(textOf(report, details, notes), context.caller, signal);
      return { kind: details.error ? 'tool-error' : 'succeeded', result: { ...result, script: details } };
    } finally {
      // Closing the app is no end: the next start goes on.
      if (signal.reason !== closing) await deps.sealed.remove(name, new AbortController().signal);
    }
  };
  const read = async (callId: ToolCallId, signal: AbortSignal): Promise<ScriptRecord | undefined> => {
    const text = await deps.sealed.get(sealedName(callId), signal);
    return text === undefined ? undefined : ScriptRecord.safeParse(JSON.parse(text)).data;
  };
  return {
    ...definition,
    run: async (args, context, signal) => {
      const parsed = Args.safeParse(args);
      if (!parsed.success) return outcomeOf(refused('invalid_arguments', 'mcp_script takes code, a text, and timeoutMs, milliseconds or null'));
      const { code, timeoutMs = deps.timeoutMs() } = parsed.data;
      return begin({ code, timeoutMs }, context, () => Promise.resolve(undefined), signal);
    },
    later: {
      waits: async (callId, signal) => (await read(callId, signal)) !== undefined,
      async resume(context, earlier, signal) {
        const record = await read(context.callId, signal);
        if (!record) return { kind: 'cancelled' };
        return begin(record, context, async (callId) => earlierAnswer(earlier(callId), deps, signal), signal);
      },
    },
  };
}

const definition: Pick<OwnTool, 'name' | 'description' | 'inputSchema'> = {
  name: 'mcp_script',
  description:
    'Run JavaScript that makes several MCP calls: chain, loop, filter, join, and return only what matters. await each call. ' +
    'tools.search({query, server?}) gives {items: [{path, server, ...}], total, nextOffset}; tools.describe({path, server?}) a tool with its schema; ' +
    'tools.call(path, args, server?) or tools.name(args) gives {ok, data, error: {code, message}, resultRef}, where data is the MCP result: data.structuredContent or data.content[0].text. ' +
    'Also tools.resources({server}), tools.readResource({server, uri}), tools.readResult({ref, path?}). emit(value) or console.log add output. No network, files, imports or timers. Guide: resource gatehouse://guide/scripts of server gatehouse.',
  inputSchema: {
    type: 'object',
    properties: { code: { type: 'string', description: 'body of an async function; return the result' }, timeoutMs: { type: 'integer' } },
    required: ['code'],
  },
};

const sealedName = (callId: ToolCallId): string => `script ${callId}`;

async function earlierAnswer(earlier: EarlierCall | undefined, deps: Pick<ScriptToolDeps, 'contents'>, signal: AbortSignal): ReturnType<ScriptRunDeps['earlier']> {
  // A question that nobody answered is asked again.
  if (!earlier || (earlier.outcome.kind === 'cancelled' && !earlier.started)) return undefined;
  const { call, outcome } = earlier;
  if (outcome.kind === 'cancelled') return refused('ambiguous_outcome', 'Gatehouse closed while this call ran: it may have taken effect. Look at the state of things before you repeat it');
  const data: JsonObject | undefined = 'result' in outcome ? await rawResult(outcome.result, deps, signal) : undefined;
  return answerOf(outcome, call, data);
}

/** What was said, in order, and then what was returned or went wrong. */
function textOf({ said, value }: ScriptReport, { error }: ScriptDetails, notes: readonly string[]): string {
  const lines = said.map(({ level, text }) => (level === undefined || level === 'log' ? text : `[${level}] ${text}`));
  if (value !== undefined) lines.push(value);
  if (error) lines.push(`Error (${error.code}${error.line === undefined ? '' : `, line ${error.line}`}): ${error.message}`);
  // First, since a long output is cut at its end.
  return [...notes, ...(lines.length === 0 ? ['(no output)'] : lines)].join('\n');
}
