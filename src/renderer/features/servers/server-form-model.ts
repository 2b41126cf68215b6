import type { ConfigValues, DraftValue } from '../../../shared/model/config-value.ts';
import type { ServerDefinition, ServerDraft, TransportType } from '../../../shared/model/server-definition.ts';
import { hiddenMark } from '../../../shared/text/hidden-mark.ts';
import { emptyOptions, optionsFormOf, optionsOf, type OptionsForm } from './options-form.ts';
import { draftValueOf, isBlank, isTemplateText, newKey, savedRow, valueProblem, type ValueRow } from './value-row.ts';

/** `kept` is the place of an argument whose text looks secret and is not shown: it stays as it stands there. */
export interface TextRow {
  readonly key: number;
  readonly text: string;
  readonly kept?: number;
}
/** All that can be typed, for every transport: changing the transport loses nothing. */
export interface ServerForm {
  readonly name: string;
  readonly type: TransportType;
  readonly command: string;
  readonly args: readonly TextRow[];
  readonly cwd: string;
  readonly envFile: string;
  readonly env: readonly ValueRow[];
  readonly url: string;
  /** The address as it stands; a part of it may be hidden. */
  readonly savedUrl?: string;
  readonly headers: readonly ValueRow[];
  readonly path: string;
  readonly options: OptionsForm;
}
/** What is wrong, by field; a value row's is under `env:<key>`, `headers:<key>` or `value:<key>`, an option's under its own name. */
export type Problems = Readonly<Record<string, string>>;

export const textRow = (text: string): TextRow => ({ key: newKey(), text });

export const emptyForm = (): ServerForm => ({
  name: '', type: 'stdio', command: '', args: [], cwd: '', envFile: '', env: [], url: '', headers: [], path: '', options: emptyOptions(),
});

export function formOf({ name, transport, options }: Pick<ServerDefinition, 'name' | 'transport' | 'options'>): ServerForm {
  const base: ServerForm = { ...emptyForm(), name, type: transport.type, options: optionsFormOf(options) };
  switch (transport.type) {
    case 'stdio':
      return {
        ...base,
        command: transport.command,
        args: transport.args.map((text, at) => ({ ...textRow(text), ...(text.includes(hiddenMark) ? { kept: at } : {}) })),
        cwd: transport.cwd ?? '',
        envFile: transport.envFile ?? '',
        env: rowsOf(transport.env),
      };
    case 'streamable-http':
    case 'sse':
      return { ...base, url: transport.url, savedUrl: transport.url, headers: rowsOf(transport.headers) };
    case 'socket':
      return { ...base, path: transport.path };
  }
}

const rowsOf = (values: ConfigValues): readonly ValueRow[] => Object.entries(values).map(([name, value]) => savedRow(name, value));

/** Some of what was typed goes to the vault. */
export const usesVault = (form: ServerForm): boolean =>
  (form.type === 'socket' ? [] : form.type === 'stdio' ? form.env : [...form.headers, ...credentialsOf(form.options)]).some(
    (row) => row.kind === 'secret' && row.value !== '',
  );
const credentialsOf = (options: OptionsForm): readonly ValueRow[] => [
  options.bearerToken, options.clientSecret, options.jwtKey, options.xaaIdToken, options.xaaClientSecret,
];

export type Checked = { readonly ok: true; readonly draft: ServerDraft } | { readonly ok: false; readonly problems: Problems };

/** Whether the file that is changed says this field itself (`env`, `oauth`): then what is not shown of it can stay there. */
type SaysItself = (field: string) => boolean;

/** What the form sends, or what is wrong with it. Only the fields of its transport count. */
export function draftOf(form: ServerForm, here: SaysItself): Checked {
  const problems: Record<string, string> = {};
  const name = form.name.trim();
  if (name === '') problems['name'] = 'Give it a name.';
  else if (name.length > 100) problems['name'] = 'At most 100 characters.';
  else if (/[\p{Cc}\p{Cf}/\\]/u.test(name)) problems['name'] = 'Slashes and invisible characters cannot be in a name.';
  const transport = transportOf(form, here, problems);
  const options = optionsOf(form.options, { remote: form.type === 'streamable-http' || form.type === 'sse', here }, problems);
  return Object.keys(problems).length > 0 ? { ok: false, problems } : { ok: true, draft: { name, transport, options } };
}

function transportOf(form: ServerForm, here: SaysItself, problems: Record<string, string>): ServerDraft['transport'] {
  switch (form.type) {
    case 'stdio': {
      const command = form.command.trim();
      if (command === '') problems['command'] = 'Which program should be started?';
      else if (command.includes(hiddenMark)) problems['command'] = 'A part of it is hidden. Enter the whole command.';
      const cwd = form.cwd.trim();
      const envFile = form.envFile.trim();
      return {
        type: 'stdio',
        command,
        args: form.args.map((row) => (row.kept === undefined ? row.text : { kept: row.kept })),
        ...(cwd === '' ? {} : { cwd }),
        env: valuesOf('env', form.env, here('env'), problems),
        ...(envFile === '' ? {} : { envFile }),
      };
    }
    case 'streamable-http':
    case 'sse':
      return { type: form.type, ...addressOf(form, problems), headers: valuesOf('headers', form.headers, here('headers'), problems) };
    case 'socket': {
      const path = form.path.trim();
      if (path === '') problems['path'] = 'Where is its socket?';
      return { type: 'socket', path };
    }
  }
}

/** An address that did not change stays as it is: a part of it may be hidden. */
function addressOf(form: ServerForm, problems: Record<string, string>): { readonly url?: string } {
  const url = form.url.trim();
  if (form.savedUrl !== undefined && url === form.savedUrl) return {};
  const problem = url.includes(hiddenMark) ? 'A part of it is hidden. Enter the whole address to change it.' : addressProblem(url);
  if (problem) problems['url'] = problem;
  return { url };
}

/** What is wrong with a web address, if anything. */
export function addressProblem(url: string): string | undefined {
  if (url === '') return 'What is its address?';
  if (isTemplateText(url)) return url.startsWith('!') ? 'An address cannot be a command.' : undefined;
  if (!URL.canParse(url)) return /^[\w.-]+(:\d+)?(\/|$)/.test(url) ? 'Begin it with https:// or http://.' : 'This is no address.';
  const { protocol, username, password } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return 'Begin it with https:// or http://.';
  return username !== '' || password !== '' ? 'A user name or password cannot be in the address. Send it as a header.' : undefined;
}

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
function valuesOf(field: 'env' | 'headers', rows: readonly ValueRow[], here: boolean, problems: Record<string, string>): Record<string, DraftValue> {
  const values: Record<string, DraftValue> = {};
  const seen = new Set<string>();
  for (const row of rows) {
    const name = row.name.trim();
    if (name === '' && isBlank(row)) continue; // a row that was never filled in
    const same = field === 'headers' ? name.toLowerCase() : name;
    const problem = nameProblem(field, name, seen.has(same)) ?? valueProblem(row, here);
    if (problem) problems[`${field}:${row.key}`] = problem;
    seen.add(same);
    values[name] = draftValueOf(row, here);
  }
  return values;
}

function nameProblem(field: 'env' | 'headers', name: string, taken: boolean): string | undefined {
  if (name === '') return 'Give it a name.';
  if (taken) return `There is another ${name}.`;
  if (field === 'env') return /[=\0]/.test(name) ? 'A name has no “=” in it.' : undefined;
  return headerName.test(name) ? undefined : 'A header’s name has no spaces or colons.';
}
