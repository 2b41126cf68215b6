import { AppError } from '../../shared/errors.ts';
import type { ConfigScope } from '../../shared/model/config-value.ts';
import type { ServerEdit } from '../../shared/ipc/contract/config.ts';
import { editSource, entryMark, type FileEdit } from '../formats/edit-source.ts';
import type { RawFields } from '../formats/raw-entry.ts';
import { readSource } from '../formats/read-source.ts';
import type { ReadSource } from './config-sources.ts';
import { draftFields, type DraftedSecret } from './draft-fields.ts';
import { definesTransport, mergeLayers } from './merge.ts';

type PutFields = Extract<FileEdit, { op: 'put' }>['fields'];
export interface EditContext {
  readonly scope: ConfigScope;
  /** The owned file. */
  readonly path: string;
  readonly read: readonly ReadSource[];
}

/** What edits mean for the file. Pure: nothing is written and nothing is stored. */
export function prepareEdits(edits: readonly ServerEdit[], context: EditContext): { readonly edits: readonly FileEdit[]; readonly secrets: readonly DraftedSecret[] } {
  const secrets: DraftedSecret[] = [];
  const prepared = edits.flatMap((edit): readonly FileEdit[] => {
    switch (edit.op) {
      case 'put': {
        refuseTaken(edit, context);
        const own = fieldsHere(edit.previousName ?? edit.draft.name, context);
        // An inherited server that is overridden: its references come along, its literals do not.
        const drafted = draftFields(edit.draft, context.scope, own ?? inherited(edit.previousName ?? edit.draft.name, context));
        secrets.push(...drafted.secrets);
        refuseUnusable(edit.draft.name, drafted.fields);
        return [{ op: 'put', name: edit.draft.name, fields: drafted.fields, ...(edit.previousName === undefined || own === undefined ? {} : { previousName: edit.previousName }) }];
      }
      case 'patch': {
        const { enabled, ...fields } = edit.fields;
        return [{ op: 'patch', name: edit.name, fields: { ...fields, ...(enabled === undefined ? {} : switchFields(edit.name, enabled, context)) } }];
      }
      case 'remove':
        if (fieldsHere(edit.name, context) === undefined) throw new AppError('server/not-found', `“${edit.name}” is not in ${context.path}`, { data: { name: edit.name } });
        return [edit];
      case 'switch':
        return [edit];
    }
  });
  return { edits: prepared, secrets };
}

/** Options that cannot be together would take the whole entry out of use: they are refused where they stand, before anything is stored. Throws `request/invalid`. */
function refuseUnusable(name: string, fields: PutFields): void {
  const { issues } = readSource(editSource(undefined, [{ op: 'put', name, fields }]), { file: '', shape: 'gatehouse' });
  const wrong = issues.filter(({ code, severity }) => code === 'invalid-option' && severity === 'error');
  const [first] = wrong;
  if (!first) return;
  const at = (path: string): readonly string[] => path.slice(path.indexOf(name) + name.length + 1).split('.');
  throw new AppError('request/invalid', first.message, { data: wrong.map(({ path, message }) => ({ path: ['draft', 'options', ...at(path)], message })) });
}

/** On again takes the switch out, unless a lower layer says off: then it says on (F-16). */
function switchFields(name: string, enabled: boolean | null, { path, read }: EditContext): Readonly<Record<string, unknown>> {
  if (enabled === false) return { enabled: null, disabled: true };
  const at = read.findIndex(({ source }) => source.path === path);
  const below = mergeLayers(read.slice(0, at).filter(({ status }) => status === 'read'), false).servers.find((server) => server.name === name);
  return { enabled: null, disabled: enabled === true && below?.fields.enabled === false ? false : null };
}

const fieldsHere = (name: string, { path, read }: EditContext): RawFields | undefined =>
  read.find(({ source }) => source.path === path)?.parsed.entries.find((entry) => entry.name === name)?.fields;

/** References and templates of lower layers; text that stands in another file in the open is not copied. */
function inherited(name: string, { read }: EditContext): RawFields | undefined {
  const fields = mergeLayers(read.filter(({ status }) => status === 'read'), false).servers.find((server) => server.name === name)?.fields;
  if (!fields) return undefined;
  const shareable = (values: RawFields['env']) => Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => typeof value !== 'string' || /\$\{|\$env:|\{env:/.test(value)));
  return { ...fields, env: shareable(fields.env), headers: shareable(fields.headers) };
}

function refuseTaken({ draft, previousName, seen }: Extract<ServerEdit, { op: 'put' }>, { scope, read }: EditContext): void {
  if (draft.name === previousName) return;
  const layers = read.filter(({ source, status }) => status === 'read' && (source.scope === scope || source.kind === 'built-in'));
  const names = layers.flatMap(({ parsed }) => parsed.entries.filter(({ fields }) => definesTransport(fields)).map(({ name }) => name));
  const taken = names.find((name) => name.toLowerCase() === draft.name.toLowerCase());
  // Who saw that the name belongs to a lower file means to override it.
  if (taken !== undefined && !(seen === 'absent' && taken === draft.name && previousName === undefined)) {
    throw new AppError('server/exists', `There is a server “${taken}” already`, { data: { name: taken } });
  }
}

/** An entry that was changed on disk since it was looked at is not written over: `config/changed`. */
export function refuseChanged(edits: readonly ServerEdit[], text: string | undefined): void {
  for (const edit of edits) {
    if (edit.op === 'switch' || edit.seen === undefined) continue;
    const name = edit.op === 'put' ? (edit.previousName ?? edit.draft.name) : edit.name;
    if (entryMark(text, name) !== edit.seen) throw new AppError('config/changed', `“${name}” was changed in the file meanwhile`, { data: { name } });
  }
}
