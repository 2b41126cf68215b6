import type { ConfigValue, DraftValue, SecretReference } from '../../../shared/model/config-value.ts';
import type { SecretId } from '../../../shared/ids.ts';
import { looksSecret } from '../../../shared/text/looks-secret.ts';

/**
 * How a value is kept: in the open; new to the vault; a secret that is there already; text that is worked out at launch; or text that stands in the
 * file, looks secret and is never shown.
 */
export type ValueKind = 'plain' | 'secret' | 'reference' | 'template' | 'hidden';

/** One variable, header or credential. What the vault holds is never seen again, only replaced or bound. */
export interface ValueRow {
  /** Unique in its form: what is typed stays with its row. */
  readonly key: number;
  readonly name: string;
  readonly kind: ValueKind;
  /** What is typed: the text, or the new secret. */
  readonly value: string;
  /** The name that the person gives a new secret; absent: the suggested one. */
  readonly as?: string;
  readonly ref?: SecretReference;
  /** What was there when the form was opened. */
  readonly was?: { readonly name: string; readonly value: ConfigValue };
}

let lastKey = 0;
export const newKey = (): number => (lastKey += 1);
export const valueRow = (name = '', value = ''): ValueRow => ({ key: newKey(), name, kind: looksSecret(name) ? 'secret' : 'plain', value });
/** A credential's row has a fixed name; an empty one is not sent. */
export const credentialRow = (name: string, value: ConfigValue | undefined): ValueRow =>
  value === undefined ? { key: newKey(), name, kind: 'secret', value: '' } : savedRow(name, value);

export function savedRow(name: string, value: ConfigValue): ValueRow {
  const base = { key: newKey(), name, value: '', was: { name, value } };
  if ('plain' in value) return { ...base, kind: 'plain', value: value.plain };
  if ('template' in value) return { ...base, kind: 'template', value: value.template };
  if ('secretRef' in value) return { ...base, kind: 'reference', ref: value };
  return { ...base, kind: 'hidden' };
}

/** Nothing was entered. */
export const isBlank = (row: ValueRow): boolean => row.value === '' && (row.kind === 'plain' || row.kind === 'secret' || row.kind === 'template');

/** Worked out at launch: `${VAR}`, `$env:VAR`, `{env:VAR}`, or a leading `!command`. */
export const isTemplateText = (text: string): boolean => text.startsWith('!') || /\$\{[^}]+\}|\$env:\w|\{env:\w/.test(text);

const secretName = /^[A-Za-z0-9._-]{1,200}$/;
/** What is wrong with it, beside its name. `here`: its file holds what it was, so that it can stay there unseen. */
export function valueProblem(row: ValueRow, here: boolean): string | undefined {
  switch (row.kind) {
    case 'secret':
      if (row.value === '') return 'Enter its value.';
      return row.as !== undefined && !secretName.test(row.as.trim()) ? 'A secret’s name has letters, digits, dots, dashes and underscores.' : undefined;
    case 'reference':
      return row.ref === undefined ? 'Choose a secret.' : undefined;
    case 'template':
      return row.value === '' ? 'Enter its text.' : undefined;
    case 'hidden':
      return !here ? 'It stands in another file and is not copied. Enter it again.' : row.was?.name !== row.name.trim() ? 'A hidden value keeps its name. Enter it again to rename it.' : undefined;
    case 'plain':
      return undefined;
  }
}

/** What is sent. What did not change stays as the file has it, letter for letter. */
export function draftValueOf(row: ValueRow, here: boolean): DraftValue {
  const before = here && row.was?.name === row.name.trim() ? row.was.value : undefined;
  switch (row.kind) {
    case 'plain':
      return before && 'plain' in before && before.plain === row.value ? { kept: true } : { plain: row.value };
    case 'template':
      return before && 'template' in before && before.template === row.value ? { kept: true } : { template: row.value };
    case 'reference':
      return row.ref ?? { kept: true };
    case 'hidden':
      return { kept: true };
    case 'secret':
      return { secret: row.value, ...(row.as === undefined ? {} : { key: row.as.trim() as SecretId }) }; // core parses it again
  }
}
