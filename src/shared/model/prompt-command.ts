import type { ServerId } from '../ids.ts';
import type { Attachment } from './attachment.ts';
import type { CatalogPrompt } from './catalog.ts';

/** A prompt of a server, as it is called in the composer. */
export interface PromptCommand {
  readonly command: string;
  readonly serverId: ServerId;
  readonly serverName: string;
  readonly prompt: CatalogPrompt;
  /** As its server offered it when last seen. */
  readonly cached: boolean;
}

/** What became of a prompt: a message to send, words about how it is used, or a server that had nothing to say. */
export type PromptAnswer =
  | { readonly kind: 'message'; readonly text: string; readonly attachments: readonly Attachment[] }
  | { readonly kind: 'usage'; readonly usage: string; readonly missing: readonly string[]; readonly problem?: string }
  | { readonly kind: 'empty'; readonly serverName: string; readonly prompt: string };
