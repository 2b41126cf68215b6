import type { Attachment } from './attachment.ts';

/** Beside one message. */
export const attachmentsLimit = 20;

/** What of it is kept, in bytes of UTF-8. */
export function attachmentBytes({ result }: Attachment): number {
  const sizes = result.parts.map((part) => {
    if ('ref' in part) return part.ref.bytes;
    if ('truncated' in part && part.truncated) return part.truncated.bytes;
    return 'text' in part ? new TextEncoder().encode(part.text).byteLength : 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}
