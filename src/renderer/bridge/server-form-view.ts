import type { ComponentType, ReactNode } from 'react';
import type { ServerDefinition, ServerDraft } from '../../shared/model/server-definition.ts';

/** The one form of a server, for whoever shows it. */
export interface ServerFormProps {
  readonly definition?: Pick<ServerDefinition, 'name' | 'transport' | 'options'> | undefined;
  /** What this form gave earlier, to go on from there. Its own business. */
  readonly typed?: unknown;
  /** The definition stands in the file that is changed, so that what is not shown can stay. */
  readonly here?: boolean;
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
