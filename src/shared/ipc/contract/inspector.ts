import * as z from 'zod';
import { ServerId } from '../../ids.ts';
import type { MessagePayload } from '../../model/protocol-message.ts';
import { request } from '../define.ts';

const one = z.strictObject({ serverId: ServerId });
const seq = z.number().int().positive();
export interface MessagesFile {
  /** JSON; secret values hidden. */
  readonly text: string;
  /** Messages that are no longer kept, and those that the file had no room for: it holds 4 MB at most. */
  readonly leftOut: number;
}
export const inspector = {
  /** What one message carried; nothing when it was let go of. The list itself is the topic `messages/<server>`. */
  'inspector.message': request<MessagePayload | undefined>()(one.extend({ seq })),
  /** Lets go of all that is kept of a server's messages. */
  'inspector.clear': request<void>()(one),
  /** These messages with what they carried, for a file; nothing is written. */
  'inspector.export': request<MessagesFile>()(one.extend({ seqs: z.array(seq).max(2000) })),
};
