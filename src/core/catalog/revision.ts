import { Revision } from '../../shared/ids.ts';
import { hashOf } from '../kernel/hash.ts';

/** What was trusted when a tool was allowed: name, title, description, both schemas, annotations and `_meta.ui`. */
export interface ToolDefinitionParts {
  readonly name: string;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
  readonly ui?: unknown;
}
export const toolRevision = (parts: ToolDefinitionParts): Revision => Revision.parse(hashOf(parts));
