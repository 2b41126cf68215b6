import * as z from 'zod';
import type { Revision, ServerId } from '../ids.ts';
import { ConfigValues, DraftValues } from './config-value.ts';
import { DraftOptions, type ServerOptions } from './server-options.ts';

export const HttpUrl = z.url({ protocol: /^https?$/ });
/** What is worked out at launch: `${VAR}`, `$env:VAR`, `{env:VAR}`. */
export function holdsVariable(text: string): boolean {
  const open = text.indexOf('${');
  return (open >= 0 && text.indexOf('}', open + 3) >= 0) || /\$env:\w|\{env:\w/.test(text);
}
/** An address, or text that becomes one when its variables are filled in. */
export const UrlText = z.union([HttpUrl, z.string().min(1).max(8192).refine(holdsVariable, 'Invalid URL')]);

export const StdioLaunch = z.strictObject({
  type: z.literal('stdio'),
  command: z.string().trim().min(1),
  args: z.array(z.string()),
  cwd: z.string().min(1).optional(),
  env: ConfigValues,
  /** A file of `NAME=value` lines, read at launch; `env` beats it. */
  envFile: z.string().min(1).optional(),
});
export const HttpLaunch = z.strictObject({ type: z.literal('streamable-http'), url: UrlText, headers: ConfigValues });
export const SseLaunch = z.strictObject({ type: z.literal('sse'), url: UrlText, headers: ConfigValues });
/** A Unix socket's path, or a Windows named pipe such as `\\.\pipe\name`. */
export const SocketLaunch = z.strictObject({ type: z.literal('socket'), path: z.string().min(1) });
export const TransportConfig = z.discriminatedUnion('type', [StdioLaunch, HttpLaunch, SseLaunch, SocketLaunch]);
export type TransportConfig = z.infer<typeof TransportConfig>;
export type TransportType = TransportConfig['type'];

export const ServerName = z.string().trim().min(1).max(100).regex(/^[^\p{Cc}\p{Cf}/\\]+$/u);

/** Whose a server is. `built-in` ones come with the app and can only be switched on and off. */
export type ServerOwner = 'built-in' | 'global' | 'project';

/**
 * What a person configured: how to reach a server, with secret references. It runs nothing, and holds no secret: text of a file that looks
 * secret is masked in `args` and `url` and stands as `literal` in `env` and `headers`; core keeps what it launches apart.
 */
export interface ServerDefinition {
  readonly id: ServerId;
  readonly name: string;
  readonly owner: ServerOwner;
  /** Of a server that exists in one run only: what it is called over all runs of the same profile. Lasting permissions are bound to it. */
  readonly kin?: ServerId;
  readonly enabled: boolean;
  readonly transport: TransportConfig;
  readonly options: ServerOptions;
  /** Changes when what would be launched or contacted changes (never with secret values). */
  readonly revision: Revision;
}

/** An argument as it is typed, or the one that stands at this place now: what looks secret is not shown and so cannot be sent back. */
export const DraftArgument = z.union([z.string(), z.strictObject({ kept: z.number().int().nonnegative() })]);
/** What the form sends. Fields foreign to the transport do not exist here. Arguments and a url that are left out stay as they are. */
export const ServerDraft = z.strictObject({
  name: ServerName,
  enabled: z.boolean().optional(),
  transport: z.discriminatedUnion('type', [
    StdioLaunch.extend({ args: z.array(DraftArgument).optional(), env: DraftValues }),
    HttpLaunch.extend({ url: UrlText.optional(), headers: DraftValues }),
    SseLaunch.extend({ url: UrlText.optional(), headers: DraftValues }),
    SocketLaunch,
  ]),
  options: DraftOptions.optional(),
});
export type ServerDraft = z.infer<typeof ServerDraft>;
