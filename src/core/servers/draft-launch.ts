import { AppError } from '../../shared/errors.ts';
import type { ServerDefinition, ServerDraft } from '../../shared/model/server-definition.ts';
import { editSource } from '../formats/edit-source.ts';
import { readSource } from '../formats/read-source.ts';
import { withLazyValues } from '../formats/oauth-values.ts';
import type { RawFields, RawValue, RawValues } from '../formats/raw-entry.ts';
import type { Secret } from '../kernel/secret.ts';
import { definitionOf } from './definition-of.ts';
import type { LaunchMaterial } from './launch-material.ts';
import { mergeLayers } from './merge.ts';
import { prepareEdits, type EditContext } from './prepare-edits.ts';

export interface DraftLaunch {
  readonly definition: ServerDefinition;
  readonly material: LaunchMaterial;
  /** Typed and not stored: they stand in the material as plain values. */
  readonly secrets: readonly Secret[];
}
export interface DraftContext extends EditContext {
  /** Of the owned file now. */
  readonly text: string | undefined;
  readonly project: string | undefined;
}

/** What would be launched if the draft were saved: the same file, read and merged the same way, with nothing written and nothing stored. Throws `config/invalid`, and what saving throws. */
export function draftLaunch(draft: ServerDraft, previousName: string | undefined, { text, project, ...context }: DraftContext): DraftLaunch {
  // Under a name that is taken it is that server that is being changed.
  const prepared = prepareEdits([{ op: 'put', draft, previousName: previousName ?? draft.name }], context);
  const parsed = readSource(editSource(text, prepared.edits), { file: context.path, shape: 'gatehouse' });
  const issue = parsed.issues.find(({ server, severity }) => server === draft.name && severity === 'error');
  if (issue) throw new AppError('config/invalid', issue.message, { data: { path: issue.path } });
  const read = context.read.map((one) => (one.source.path === context.path ? { ...one, status: 'read' as const, parsed } : one));
  const layers = read.filter(({ source, status }) => status === 'read' && (context.scope === 'project' || source.scope === 'global'));
  const server = mergeLayers(layers, project !== undefined).servers.find(({ name }) => name === draft.name);
  if (!server) throw new AppError('config/invalid', `“${draft.name}” says nothing of how to reach it`);
  const typed = new Map(prepared.secrets.map(({ key, value }) => [String(key), value]));
  const fields = withValues(server.fields, (value) => {
    const secret = typeof value !== 'string' && 'secretRef' in value && value.scope === context.scope ? typed.get(value.secretRef) : undefined;
    return secret === undefined ? value : { plain: secret.reveal() };
  });
  const ofProject = server.owner === 'project' && project !== undefined ? { project } : {};
  const inputs = Object.fromEntries(layers.flatMap(({ source, parsed: { inputs: some } }) => (some.length > 0 ? [[source.id, some] as const] : [])));
  return {
    definition: definitionOf(draft.name, server.owner, server.owner === 'project' ? (project ?? '') : server.owner, true, server.fields),
    material: { fields, owner: server.owner, origins: server.origins, inputs, ...ofProject },
    secrets: prepared.secrets.map(({ value }) => value),
  };
}

function withValues(fields: RawFields, change: (value: RawValue) => RawValue): RawFields {
  const all = (values: RawValues): RawValues => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
  const { env, headers, bearerToken, oauth } = fields;
  return {
    ...fields,
    ...(env === undefined ? {} : { env: all(env) }),
    ...(headers === undefined ? {} : { headers: all(headers) }),
    ...(bearerToken === undefined ? {} : { bearerToken: change(bearerToken) }),
    ...(oauth === undefined || oauth === false ? {} : { oauth: withLazyValues(oauth, change) }),
  };
}
