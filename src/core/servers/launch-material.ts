import type { ServerOwner } from '../../shared/model/server-definition.ts';
import type { SourceRef } from '../../shared/model/source.ts';
import type { RawField, RawFields, RawInput } from '../formats/raw-entry.ts';

/** What a launch is made of. It may hold secrets in the open, from hand-edited files: never shown, logged or sent. */
export interface LaunchMaterial {
  readonly fields: RawFields;
  readonly owner: ServerOwner;
  /** The project that owns it. */
  readonly project?: string;
  /** Which source decided each field: a `!command` counts only from the person's own files. */
  readonly origins: Readonly<Partial<Record<RawField, SourceRef>>>;
  /** Of the project files, at which they are trusted: grants of global secrets are bound to it. */
  readonly digest?: string;
  /** What the sources, by their ids, say of their `${input:id}`. */
  readonly inputs?: Readonly<Record<string, readonly RawInput[]>>;
}
