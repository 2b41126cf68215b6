import type { ComponentType, ReactNode } from 'react';
import type { ConfigScope } from '../../shared/model/config-value.ts';
import type { Provenance } from '../../shared/model/source.ts';
import type { ServerDefinition, ServerDraft } from '../../shared/model/server-definition.ts';

/** The one form of a server, for whoever shows it. */
export interface ServerFormProps {
  readonly definition?: Pick<ServerDefinition, 'name' | 'transport' | 'options'> | undefined;
  /** What this form gave earlier, to go on from there. Its own business. */
  readonly typed?: unknown;
  /** The fields that the file which is changed says itself: what is not shown of them can stay there. Absent: all. */
  readonly own?: ReadonlySet<string> | undefined;
  readonly saveLabel: string;
  /** It stands for a server of this name. */
  readonly nameFixed?: boolean;
  /** What belongs above the fields. */
  readonly note?: ReactNode;
  /** Saves and leaves. What it throws is shown on the fields that it is about. */
  readonly onSave: (draft: ServerDraft, typed: unknown) => Promise<unknown>;
  readonly onCancel: () => void;
  /** A value that stood in the file was moved to the vault, at once. */
  readonly onMoved?: (() => void) | undefined;
}
export type ServerFormView = ComponentType<ServerFormProps>;

/** The id of the source that the app writes for a scope. */
export const ownedSource = (scope: ConfigScope): string => (scope === 'project' ? 'project' : 'home');
/** The fields of a server that one source decided. */
export const fieldsOf = ({ fields }: Provenance, source: string): ReadonlySet<string> =>
  new Set(fields.filter((field) => field.source === source && !field.dropped).map(({ field }) => field));
