import * as z from 'zod';
import { Revision, SecretId, ServerId } from '../ids.ts';

/** A value of an environment variable or header: said in the open, or kept in the vault. */
export const ConfigValue = z.union([
  z.strictObject({ plain: z.string() }),
  z.strictObject({ secretRef: SecretId, scope: z.enum(['global', 'project']) }),
]);
export type ConfigValue = z.infer<typeof ConfigValue>;
const ConfigValues = z.record(z.string().min(1), ConfigValue);

export const HttpUrl = z.url({ protocol: /^https?$/ });

export const StdioLaunch = z.strictObject({
  type: z.literal('stdio'),
  command: z.string().trim().min(1),
  args: z.array(z.string()),
  cwd: z.string().min(1).optional(),
  env: ConfigValues,
});
export const HttpLaunch = z.strictObject({
  type: z.literal('streamable-http'),
  url: HttpUrl,
  headers: ConfigValues,
});
export const SseLaunch = z.strictObject({ type: z.literal('sse'), url: HttpUrl, headers: ConfigValues });
/** A Unix socket's path, or a Windows named pipe such as `\\.\pipe\name`. */
export const SocketLaunch = z.strictObject({ type: z.literal('socket'), path: z.string().min(1) });
export const TransportConfig = z.discriminatedUnion('type', [StdioLaunch, HttpLaunch, SseLaunch, SocketLaunch]);
export type TransportConfig = z.infer<typeof TransportConfig>;
export type TransportType = TransportConfig['type'];

/** How to agree on a protocol version; absent means `auto` over HTTP and `legacy` elsewhere. */
export const ProtocolMode = z.enum(['auto', 'legacy']);
export type ProtocolMode = z.infer<typeof ProtocolMode>;

/** All in milliseconds. Defaults: handshake 15,000; call 60,000 of silence; call in all 600,000. */
export const ServerLimits = z.strictObject({
  handshakeMs: z.number().int().positive().max(600_000).optional(),
  callIdleMs: z.number().int().positive().max(3_600_000).optional(),
  callTotalMs: z.number().int().positive().max(86_400_000).optional(),
});
export type ServerLimits = z.infer<typeof ServerLimits>;

export const ServerName = z.string().trim().min(1).max(100).regex(/^[^\p{Cc}\p{Cf}/\\]+$/u);

/** What a person configured: how to reach a server, with secret references. It runs nothing. */
export interface ServerDefinition {
  readonly id: ServerId;
  readonly name: string;
  /** Where it is defined. `built-in` ones come with the app and can only be switched on and off. */
  readonly source: 'built-in' | 'global';
  readonly enabled: boolean;
  readonly transport: TransportConfig;
  readonly protocol?: ProtocolMode;
  readonly limits?: ServerLimits;
  /** Which of its tools always ask, in place of the global setting; `false` removes the globs for this server, never the preset. */
  readonly approveTools?: ApproveTools;
  /** Changes when what would be launched or contacted changes (never with secret values). */
  readonly revision: Revision;
}

/** `true` asks for every tool; globs (`*`, `?`) ask for those whose name fits. */
export const ApproveTools = z.union([z.boolean(), z.array(z.string().max(200)).max(200)]);
export type ApproveTools = z.infer<typeof ApproveTools>;

/** A value as a person types it: a secret one goes to the vault and only its reference is saved; `kept` is a secret that was saved before. */
export const DraftValue = z.union([
  z.strictObject({ plain: z.string().max(65_536) }),
  z.strictObject({ secret: z.string().min(1).max(65_536) }),
  z.strictObject({ kept: SecretId }),
]);
export type DraftValue = z.infer<typeof DraftValue>;
const DraftValues = z.record(z.string().trim().min(1), DraftValue);
/** What the form sends. Fields foreign to the transport do not exist here. */
export const ServerDraft = z.strictObject({
  name: ServerName,
  transport: z.discriminatedUnion('type', [
    StdioLaunch.extend({ env: DraftValues }),
    HttpLaunch.extend({ headers: DraftValues }),
    SseLaunch.extend({ headers: DraftValues }),
    SocketLaunch,
  ]),
  protocol: ProtocolMode.optional(),
  limits: ServerLimits.optional(),
});
export type ServerDraft = z.infer<typeof ServerDraft>;
