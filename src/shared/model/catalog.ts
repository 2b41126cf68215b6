import type { Revision, ServerId } from '../ids.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** What a server says of its tool. Shown, never trusted: it lowers no level. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** (server, tool, revision): exactly which tool. `tool` is the server's own name for it. */
export interface ToolRef {
  readonly serverId: ServerId;
  readonly tool: string;
  readonly revision: Revision;
}

export interface CatalogTool {
  readonly ref: ToolRef;
  readonly serverName: string;
  readonly title?: string;
  readonly description: string;
  /** The server's own schema: the judge of arguments. */
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations: ToolAnnotations;
  /** What a model calls it by: an output, never parsed back. */
  readonly modelName: string;
  /** Set when the tool cannot be used, with the reason that its row shows. */
  readonly problem?: string;
  /** Kept from models, with the reason: a person's filter, or the server marked it for its own app window. The Tools page shows it all the same. */
  readonly hidden?: 'not-included' | 'excluded' | 'app-only';
  /** Offered from the start of a chat, by `directTools`. */
  readonly pinned?: true;
  /** The server keeps it from its own app window. */
  readonly notForApps?: true;
  /** Words by which it is found beside its own (H-49). */
  readonly tags?: readonly string[];
}

/** A tool in one line: what a list of thousands shows of it. */
export interface ToolLine {
  readonly serverId: ServerId;
  readonly serverName: string;
  /** The server's own name for it. */
  readonly tool: string;
  readonly title?: string;
  /** The first line of its description, cut. */
  readonly about: string;
  readonly problem?: string;
  readonly hidden?: NonNullable<CatalogTool['hidden']>;
  readonly pinned?: true;
  /** The server says that it can destroy. */
  readonly destroys?: true;
}

export function toolLine({ ref, serverName, title, description, annotations, problem, hidden, pinned }: CatalogTool): ToolLine {
  const destroys = annotations.destructiveHint === true && annotations.readOnlyHint !== true;
  return {
    serverId: ref.serverId, serverName, tool: ref.tool, about: description.trimStart().slice(0, 300).split('\n')[0]?.trimEnd() ?? '',
    ...(title === undefined ? {} : { title }),
    ...(problem === undefined ? {} : { problem }),
    ...(hidden === undefined ? {} : { hidden }),
    ...(pinned ? { pinned } : {}),
    ...(destroys ? { destroys } : {}),
  };
}

/** Where a server's catalog comes from: the live server, or what it said when it was last connected. */
export type CatalogOrigin = { readonly from: 'live' } | { readonly from: 'cache'; readonly seenAt: number };

export interface CatalogResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
}
export interface CatalogResourceTemplate extends Omit<CatalogResource, 'uri' | 'size'> {
  readonly uriTemplate: string;
}
export interface CatalogPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly { readonly name: string; readonly description?: string; readonly required: boolean }[];
}

/** All that one server offers. `warnings` say what was left out and why ("page 3 of tools did not arrive"). */
export interface ServerCatalog {
  readonly serverId: ServerId;
  readonly serverName: string;
  readonly instructions?: string;
  readonly tools: readonly CatalogTool[];
  readonly resources: readonly CatalogResource[];
  readonly resourceTemplates: readonly CatalogResourceTemplate[];
  readonly prompts: readonly CatalogPrompt[];
  /** It can be asked for skills. */
  readonly skills?: true;
  readonly warnings: readonly string[];
  readonly origin: CatalogOrigin;
}
export interface CatalogCounts {
  readonly tools: number;
  readonly resources: number;
  readonly prompts: number;
  readonly problems: number;
}
