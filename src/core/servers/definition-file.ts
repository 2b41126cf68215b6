import { getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import { ApproveTools, ConfigValue, HttpUrl, ProtocolMode, ServerLimits, ServerName, type TransportConfig } from '../../shared/model/server-definition.ts';
import type { ConfigProblem } from '../../shared/state/app-state.ts';

/** An entry of `mcpServers` as it stands in the file, checked. Without a transport it only switches a server that is defined elsewhere. */
export interface FileEntry {
  readonly name: string;
  readonly enabled: boolean | undefined;
  readonly transport: TransportConfig | undefined;
  readonly protocol?: ProtocolMode;
  readonly limits?: ServerLimits;
  readonly approveTools?: ApproveTools;
}
export interface DefinitionFile {
  readonly entries: readonly FileEntry[];
  readonly problems: readonly ConfigProblem[];
  /** The whole file does not parse: it must not be written. */
  readonly broken: boolean;
}

const Values = z.record(z.string(), z.union([z.string().transform((plain) => ({ plain })), ConfigValue])).default({});
const Entry = z
  .looseObject({
    type: z.enum(['stdio', 'sse', 'http', 'streamable-http', 'streamableHttp']).optional(),
    command: z.string().trim().min(1).optional(),
    args: z.array(z.string()).default([]),
    cwd: z.string().min(1).optional(),
    env: Values,
    url: HttpUrl.optional(),
    headers: Values,
    socket: z.string().min(1).optional(),
    enabled: z.boolean().optional(),
    disabled: z.boolean().optional(),
    protocolVersion: ProtocolMode.optional(),
    limits: ServerLimits.optional(),
    approveTools: ApproveTools.optional(),
  })
  .superRefine((entry, context) => {
    const ways = [entry.command, entry.url, entry.socket].filter((way) => way !== undefined).length;
    if (ways > 1) context.addIssue({ code: 'custom', message: 'has more than one of command, url and socket' });
    if (ways === 0 && entry.type !== undefined) context.addIssue({ code: 'custom', message: entry.type === 'stdio' ? 'has no command' : 'has no url' });
    if (entry.type === 'stdio' && entry.url !== undefined) context.addIssue({ code: 'custom', message: 'is stdio but has a url' });
  });

/** Reads JSON with comments, trailing commas and a byte-order mark. One bad entry never hides the others; each problem says where it stands. */
export function readDefinitionFile(file: string, text: string): DefinitionFile {
  const errors: ParseError[] = [];
  const body = text.replace(/^\uFEFF/, '');
  const root = parseTree(body, errors, { allowTrailingComma: true, disallowComments: false });
  if (body.trim() === '') return { entries: [], problems: [], broken: false };
  const first = errors[0];
  if (first || root?.type !== 'object') {
    return { entries: [], broken: true, problems: [{ file, message: first ? `It is not valid JSON: ${printParseErrorCode(first.error)}` : 'It must hold a JSON object', ...place(body, first?.offset ?? 0) }] };
  }
  const servers = property(root, 'mcpServers');
  if (!servers) return { entries: [], problems: [], broken: false };
  if (servers.type !== 'object') return { entries: [], broken: true, problems: [{ file, message: 'mcpServers must be an object', ...place(body, servers.offset) }] };
  const entries: FileEntry[] = [];
  const problems: ConfigProblem[] = [];
  for (const node of servers.children ?? []) {
    const [key, value] = node.children ?? [];
    const name = ServerName.safeParse(key?.value);
    const parsed = value ? Entry.safeParse(getNodeValue(value)) : undefined;
    if (name.success && parsed?.success) entries.push(toEntry(name.data, parsed.data));
    else {
      const why = !name.success ? 'has a name that cannot be used' : (parsed?.error?.issues.map((issue) => `${issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''}${issue.message}`).join('; ') ?? 'has no value');
      problems.push({ file, message: `“${String(key?.value)}” ${why}`, ...place(body, node.offset) });
    }
  }
  return { entries, problems, broken: false };
}

function toEntry(name: string, entry: z.infer<typeof Entry>): FileEntry {
  return {
    name,
    enabled: entry.disabled === true ? false : entry.enabled,
    transport: toTransport(entry),
    ...(entry.protocolVersion === undefined ? {} : { protocol: entry.protocolVersion }),
    ...(entry.limits === undefined ? {} : { limits: entry.limits }),
    ...(entry.approveTools === undefined ? {} : { approveTools: entry.approveTools }),
  };
}

function toTransport({ type, command, args, cwd, env, url, headers, socket }: z.infer<typeof Entry>): TransportConfig | undefined {
  if (command !== undefined) return { type: 'stdio', command, args, env, ...(cwd === undefined ? {} : { cwd }) };
  if (url !== undefined) return { type: type === 'sse' ? 'sse' : 'streamable-http', url, headers };
  if (socket !== undefined) return { type: 'socket', path: socket };
  return undefined;
}

const property = (object: Node, key: string) => object.children?.find((child) => child.children?.[0]?.value === key)?.children?.[1];

function place(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** For writers: a file that does not parse is never written. */
export function assertWritable(file: string, text: string): void {
  const { broken, problems } = readDefinitionFile(file, text);
  if (broken) throw new AppError('config/invalid', problems[0]?.message ?? 'The file cannot be read', { data: problems[0] });
}
