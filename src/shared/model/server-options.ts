import * as z from 'zod';
import { ConfigValue, DraftValue } from './config-value.ts';

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

/** `true` asks for every tool; globs (`*`, `?`) ask for those whose name fits. */
export const ApproveTools = z.union([z.boolean(), z.array(z.string().max(200)).max(200)]);
export type ApproveTools = z.infer<typeof ApproveTools>;

export const Lifecycle = z.enum(['lazy', 'eager', 'keep-alive', 'lazy-keep-alive']);
export type Lifecycle = z.infer<typeof Lifecycle>;
/** The form of the names that a model sees. */
export const ToolPrefix = z.enum(['gatehouse', 'fusion', 'server', 'short', 'none', 'mcp']);
export type ToolPrefix = z.infer<typeof ToolPrefix>;
const ToolPatterns = z.array(z.string().min(1).max(200)).max(1000);

/** Every option of a server that says nothing of how to reach it, by the names that files use. */
const plainOptions = {
  protocolVersion: ProtocolMode.optional(),
  limits: ServerLimits.optional(),
  /** Milliseconds a request may be silent; `limits.callIdleMs` is more precise and wins. 0 or less means the default. */
  requestTimeoutMs: z.number().int().max(3_600_000).optional(),
  lifecycle: Lifecycle.optional(),
  /** Minutes without use before it is stopped; 0 never. */
  idleTimeout: z.number().min(0).max(10_080).optional(),
  /** A run stops when this server cannot be reached. */
  required: z.boolean().optional(),
  /** Which of its tools always ask, in place of the global setting; `false` removes the globs for this server, never the preset. */
  approveTools: ApproveTools.optional(),
  exposeResources: z.boolean().optional(),
  directTools: z.union([z.boolean(), ToolPatterns]).optional(),
  toolPrefix: ToolPrefix.optional(),
  includeTools: ToolPatterns.optional(),
  excludeTools: ToolPatterns.optional(),
  /** Trusts read-only and idempotent annotations for one retry of a broken transport. */
  retryOnTransportFailure: z.boolean().optional(),
  debug: z.boolean().optional(),
  trace: z.boolean().optional(),
} as const;

const oauthOptions = <V extends z.ZodType>(value: V) =>
  z.strictObject({
    grantType: z.enum(['authorization_code', 'client_credentials', 'jwt-bearer']).optional(),
    clientId: z.string().min(1).optional(),
    clientSecret: value.optional(),
    scope: z.string().optional(),
    redirectUri: z.string().min(1).optional(),
    clientName: z.string().min(1).optional(),
    clientUri: z.string().min(1).optional(),
    clientMetadataUrl: z.union([z.string().min(1), z.literal(false)]).optional(),
    skipIssuerMetadataValidation: z.boolean().optional(),
    authorizationParams: z.record(z.string(), z.string()).optional(),
    privateKeyJwt: z
      .strictObject({
        privateKey: value,
        algorithm: z.string().min(1),
        audience: z.string().optional(),
        lifetimeSeconds: z.number().int().positive().optional(),
        claims: z.record(z.string(), z.json()).optional(),
      })
      .optional(),
    assertion: value.optional(),
    crossAppAccess: z.strictObject({ idpUrl: z.string().min(1), clientId: z.string().min(1), idToken: value, clientSecret: value.optional() }).optional(),
  });
const authOptions = <V extends z.ZodType>(value: V) => ({
  /** `false`: never sign in. */
  auth: z.union([z.enum(['bearer', 'oauth']), z.literal(false)]).optional(),
  bearerToken: value.optional(),
  bearerTokenEnv: z.string().min(1).optional(),
  oauth: z.union([oauthOptions(value), z.literal(false)]).optional(),
  /** Signs in by itself when a use wants it (F-168), in place of the setting. A project's file can only switch it off. */
  autoAuth: z.boolean().optional(),
});

export const ServerOptions = z.strictObject({ ...plainOptions, ...authOptions(ConfigValue) });
export type ServerOptions = z.infer<typeof ServerOptions>;
export const DraftOptions = z.strictObject({ ...plainOptions, ...authOptions(DraftValue) });
export type DraftOptions = z.infer<typeof DraftOptions>;
/** The options that may stand alone in an owned file, over a server that is defined elsewhere. `null` takes one out. */
export const OptionsPatch = z.strictObject({
  enabled: z.boolean().nullable().optional(),
  approveTools: ApproveTools.nullable().optional(),
  directTools: z.union([z.boolean(), ToolPatterns]).nullable().optional(),
  includeTools: ToolPatterns.nullable().optional(),
  excludeTools: ToolPatterns.nullable().optional(),
  lifecycle: Lifecycle.nullable().optional(),
  idleTimeout: z.number().min(0).max(10_080).nullable().optional(),
  toolPrefix: ToolPrefix.nullable().optional(),
  exposeResources: z.boolean().nullable().optional(),
  required: z.boolean().nullable().optional(),
});
export type OptionsPatch = z.infer<typeof OptionsPatch>;
