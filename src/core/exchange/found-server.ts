import type { ConfigScope } from '../../shared/model/config-value.ts';
import type { Candidate } from '../../shared/model/exchange.ts';
import { toFileFields } from '../formats/file-fields.ts';
import type { RawEntry, RawFields, RawInput, RawValues } from '../formats/raw-entry.ts';
import { optionsOf, transportOf } from '../servers/definition-of.ts';
import { launchTarget } from '../servers/launch-revision.ts';
import { descriptorOf, keyOf, plainTextsOf, withReferences } from './plain-text.ts';

/** A server as another program's file, or pasted text, has it. It may hold secrets in the open: what may be shown is its candidate. */
export interface FoundServer {
  /** The id of a discovered source; `text` for what was pasted. */
  readonly source: string;
  readonly entry: RawEntry;
  readonly inputs: readonly RawInput[];
  /** Of its file: what a relative envFile is relative to. */
  readonly folder?: string;
  /** Its file's rules know `!command`. */
  readonly commands: boolean;
}

/** U-49: with placeholder references where plain text stood, which is nowhere in it. */
export function candidateOf(found: FoundServer, scope: ConfigScope, alreadyConfigured: boolean): Candidate {
  const { entry, inputs, commands } = found;
  const plains = plainTextsOf(entry.name, entry.fields, { scope, inputs, commands });
  const shown = withReferences(entry.fields, plains, (plain) => ({ secretRef: keyOf(plain), scope }));
  const transport = transportOf(entry.name, scope, shown);
  return {
    name: entry.name,
    transport,
    options: optionsOf(entry.name, scope, shown),
    enabled: entry.fields.enabled !== false,
    target: launchTarget(transport),
    alreadyConfigured,
    hasPlaintextSecrets: plains.some(({ kind }) => kind === 'text'),
    secretDescriptors: plains.map((plain) => descriptorOf(plain, scope)),
    ...(entry.place === undefined ? {} : { place: entry.place }),
  };
}

/** Every field by name: what a taken-over entry does not have goes from one that it replaces. */
const noFields: Readonly<Record<keyof RawFields | 'disabled', undefined>> = {
  enabled: undefined, disabled: undefined, command: undefined, args: undefined, cwd: undefined, env: undefined, envFile: undefined, url: undefined, type: undefined, headers: undefined,
  socket: undefined, auth: undefined, bearerToken: undefined, bearerTokenEnv: undefined, oauth: undefined, autoAuth: undefined, protocolVersion: undefined, limits: undefined, requestTimeoutMs: undefined,
  lifecycle: undefined, idleTimeout: undefined, required: undefined, approveTools: undefined, exposeResources: undefined, directTools: undefined, toolPrefix: undefined,
  includeTools: undefined, excludeTools: undefined, retryOnTransportFailure: undefined, debug: undefined, trace: undefined,
};

/** What stands in our file for it. `fields` hold references by now. */
export function fileFields({ enabled, type, envFile, env, headers, ...fields }: RawFields, folder: string | undefined): Readonly<Record<string, unknown>> {
  const said = toFileFields({
    ...fields,
    type: fields.url === undefined ? undefined : type === 'sse' ? 'sse' : 'streamable-http',
    env: env && marked(env),
    headers: headers && marked(headers),
    envFile: envFile !== undefined && folder !== undefined && isRelative(envFile) ? `${folder}${separatorOf(folder)}${envFile.replace(/^\.[\\/]/, '')}` : envFile,
  });
  const off = enabled === false ? { disabled: true } : {};
  return { ...off, ...said, ...Object.fromEntries(Object.entries(noFields).filter(([field]) => !Object.hasOwn(said, field) && !Object.hasOwn(off, field))) };
}

/** What is left as text is worked out at launch, or empty. */
const marked = (values: RawValues): RawValues =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, typeof value === 'string' && value.trim() === '' ? { plain: value } : value]));

/** Neither absolute nor beginning with `~` or a variable. */
const isRelative = (path: string): boolean => !/^(?:[\\/~$]|\{|[A-Za-z]:)/.test(path);
const separatorOf = (folder: string): string => (/^[A-Za-z]:|^\\\\/.test(folder) ? '\\' : '/');
