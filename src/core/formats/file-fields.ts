import type { RawFields } from './raw-entry.ts';

/** Fields in the order in which a person reads them, by the names of Gatehouse's own files. */
const order = [
  'enabled', 'type', 'command', 'args', 'cwd', 'env', 'envFile', 'url', 'headers', 'socket', 'auth', 'bearerToken', 'bearerTokenEnv', 'oauth', 'autoAuth',
  'protocolVersion', 'lifecycle', 'idleTimeout', 'requestTimeoutMs', 'limits', 'required', 'approveTools', 'directTools', 'toolPrefix', 'includeTools',
  'excludeTools', 'exposeResources', 'retryOnTransportFailure', 'debug', 'trace',
] as const satisfies readonly (keyof RawFields)[];

export function toFileFields(fields: { readonly [F in keyof RawFields]: RawFields[F] | undefined }): Readonly<Record<string, unknown>> {
  return Object.fromEntries(order.flatMap((field) => (fields[field] === undefined ? [] : [[field, fields[field]]])));
}
