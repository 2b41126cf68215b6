import type { Attachment } from '../../shared/model/attachment.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import type { ResultPart, ToolResult } from '../../shared/model/content.ts';

/** A resource that was read, as it stands beside a message. */
export function attachmentOf({ ref, serverName, title }: CatalogTool, uri: string, result: ToolResult): Attachment {
  const parts = result.parts.map(asImage);
  const mimeType = mimeOf(parts);
  return { kind: 'resource', serverId: ref.serverId, serverName, uri, name: (title ?? ref.tool).slice(0, 1000), ...(mimeType === undefined ? {} : { mimeType }), result: { ...result, parts } };
}

/** Bytes of a picture are looked at, not kept from models as a file. SVG is a document. */
const asImage = (part: ResultPart): ResultPart => (part.type === 'blob' && /^image\/(?!svg)/i.test(part.ref.mimeType) ? { type: 'image', ref: part.ref } : part);

function mimeOf(parts: readonly ResultPart[]): string | undefined {
  const types = parts.map((part) => ('ref' in part ? part.ref.mimeType : 'mimeType' in part ? part.mimeType : undefined));
  return types.find((type) => type !== undefined)?.slice(0, 200);
}
