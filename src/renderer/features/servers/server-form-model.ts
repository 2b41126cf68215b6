import type { SecretId } from '../../../shared/ids.ts';
import type {
  ConfigValue,
  DraftValue,
  ProtocolMode,
  ServerDefinition,
  ServerDraft,
  TransportType,
} from '../../../shared/model/server-definition.ts';
import { looksSecret } from '../../../shared/text/looks-secret.ts';

/** One variable or header. `kept` is a secret that the vault holds: its value is never seen again, only replaced. */
export interface ValueRow {
  /** Unique in its form: what is typed stays with its row. */
  readonly key: number;
  readonly name: string;
  readonly value: string;
  readonly secret: boolean;
  readonly kept?: SecretId;
}
export interface TextRow {
  readonly key: number;
  readonly text: string;
}
/** All that can be typed, for every transport: changing the transport loses nothing. Limits in seconds, as typed. */
export interface ServerForm {
  readonly name: string;
  readonly type: TransportType;
  readonly command: string;
  readonly args: readonly TextRow[];
  readonly cwd: string;
  readonly env: readonly ValueRow[];
  readonly url: string;
  readonly headers: readonly ValueRow[];
  readonly path: string;
  readonly protocol: ProtocolMode | 'default';
  readonly handshake: string;
  readonly callIdle: string;
  readonly callTotal: string;
}
/** What is wrong, by field; a value row's is under `env:<key>` or `headers:<key>`. */
export type Problems = Readonly<Record<string, string>>;

let lastKey = 0;
export const newKey = (): number => (lastKey += 1);
export const textRow = (text: string): TextRow => ({ key: newKey(), text });
export const valueRow = (name = '', value = ''): ValueRow => ({ key: newKey(), name, value, secret: looksSecret(name) });

export const emptyForm = (): ServerForm => ({
  name: '',
  type: 'stdio',
  command: '',
  args: [],
  cwd: '',
  env: [],
  url: '',
  headers: [],
  path: '',
  protocol: 'default',
  handshake: '',
  callIdle: '',
  callTotal: '',
});

export function formOf({ name, transport, protocol, limits }: ServerDefinition): ServerForm {
  const seconds = (ms: number | undefined): string => (ms === undefined ? '' : String(ms / 1000));
  const base: ServerForm = {
    ...emptyForm(),
    name,
    type: transport.type,
    protocol: protocol ?? 'default',
    handshake: seconds(limits?.handshakeMs),
    callIdle: seconds(limits?.callIdleMs),
    callTotal: seconds(limits?.callTotalMs),
  };
  switch (transport.type) {
    case 'stdio':
      return {
        ...base,
        command: transport.command,
        args: transport.args.map(textRow),
        cwd: transport.cwd ?? '',
        env: rowsOf(transport.env),
      };
    case 'streamable-http':
    case 'sse':
      return { ...base, url: transport.url, headers: rowsOf(transport.headers) };
    case 'socket':
      return { ...base, path: transport.path };
  }
}

const rowsOf = (values: Readonly<Record<string, ConfigValue>>): readonly ValueRow[] =>
  Object.entries(values).map(([name, value]) =>
    'plain' in value
      ? { key: newKey(), name, value: value.plain, secret: looksSecret(name) }
      : { key: newKey(), name, value: '', secret: true, kept: value.secretRef },
  );

/** Some rows keep their values in the vault. */
export const usesVault = (form: ServerForm): boolean =>
  (form.type === 'socket' ? [] : form.type === 'stdio' ? form.env : form.headers).some((row) => row.secret && row.kept === undefined);

export type Checked = { readonly ok: true; readonly draft: ServerDraft } | { readonly ok: false; readonly problems: Problems };

/** What the form sends, or what is wrong with it. Only the fields of its transport count. */
export function draftOf(form: ServerForm): Checked {
  const problems: Record<string, string> = {};
  const name = form.name.trim();
  if (name === '') problems['name'] = 'Give it a name.';
  else if (name.length > 100) problems['name'] = 'At most 100 characters.';
  else if (/[\p{Cc}\p{Cf}/\\]/u.test(name)) problems['name'] = 'Slashes and invisible characters cannot be in a name.';
  const transport = transportOf(form, problems);
  const limits = {
    ...limitOf('handshakeMs', 'handshake', form.handshake, 600, problems),
    ...limitOf('callIdleMs', 'callIdle', form.callIdle, 3600, problems),
    ...limitOf('callTotalMs', 'callTotal', form.callTotal, 86_400, problems),
  };
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  return {
    ok: true,
    draft: {
      name,
      transport,
      ...(form.protocol === 'default' ? {} : { protocol: form.protocol }),
      ...(Object.keys(limits).length > 0 ? { limits } : {}),
    },
  };
}

function transportOf(form: ServerForm, problems: Record<string, string>): ServerDraft['transport'] {
  switch (form.type) {
    case 'stdio': {
      const command = form.command.trim();
      if (command === '') problems['command'] = 'Which program should be started?';
      const cwd = form.cwd.trim();
      return {
        type: 'stdio',
        command,
        args: form.args.map((row) => row.text),
        ...(cwd === '' ? {} : { cwd }),
        env: valuesOf('env', form.env, problems),
      };
    }
    case 'streamable-http':
    case 'sse':
      return { type: form.type, url: addressOf(form.url, problems), headers: valuesOf('headers', form.headers, problems) };
    case 'socket': {
      const path = form.path.trim();
      if (path === '') problems['path'] = 'Where is its socket?';
      return { type: 'socket', path };
    }
  }
}

function addressOf(typed: string, problems: Record<string, string>): string {
  const url = typed.trim();
  const problem = addressProblem(url);
  if (problem) problems['url'] = problem;
  return url;
}

/** What is wrong with a web address, if anything. */
export function addressProblem(url: string): string | undefined {
  if (url === '') return 'What is its address?';
  if (!URL.canParse(url)) return /^[\w.-]+(:\d+)?(\/|$)/.test(url) ? 'Begin it with https:// or http://.' : 'This is no address.';
  const { protocol, username, password } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return 'Begin it with https:// or http://.';
  return username !== '' || password !== '' ? 'A user name or password cannot be in the address. Send it as a header.' : undefined;
}

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
function valuesOf(field: 'env' | 'headers', rows: readonly ValueRow[], problems: Record<string, string>): Record<string, DraftValue> {
  const values: Record<string, DraftValue> = {};
  const seen = new Set<string>();
  for (const row of rows) {
    const name = row.name.trim();
    if (name === '' && row.value === '' && row.kept === undefined) continue; // a row that was never filled in
    const same = field === 'headers' ? name.toLowerCase() : name;
    const problem =
      name === ''
        ? 'Give it a name.'
        : seen.has(same)
          ? `There is another ${name}.`
          : field === 'env' && /[=\0]/.test(name)
            ? 'A name has no “=” in it.'
            : field === 'headers' && !headerName.test(name)
              ? 'A header’s name has no spaces or colons.'
              : row.secret && row.kept === undefined && row.value === ''
                ? 'Enter its value.'
                : undefined;
    if (problem) problems[`${field}:${row.key}`] = problem;
    seen.add(same);
    values[name] = row.kept !== undefined ? { kept: row.kept } : row.secret ? { secret: row.value } : { plain: row.value };
  }
  return values;
}

function limitOf<K extends string>(
  name: K,
  field: string,
  typed: string,
  most: number,
  problems: Record<string, string>,
): { readonly [P in K]?: number } {
  const text = typed.trim().replace(',', '.');
  if (text === '') return {};
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0) problems[field] = 'A number of seconds.';
  else if (seconds > most) problems[field] = `At most ${most.toLocaleString('en-US')} seconds.`;
  return { [name]: Math.max(1, Math.round(seconds * 1000)) } as { [P in K]?: number }; // its one key is `name`
}
