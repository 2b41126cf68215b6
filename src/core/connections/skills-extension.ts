import type { JsonObject } from '../../shared/model/catalog.ts';

/** The extension by which servers have skills for models (SEP-2640). */
export const skillsExtension = 'io.modelcontextprotocol/skills';

/** The server says that it can be asked for skills; one that does not is never asked. */
export function hasSkills(capabilities: JsonObject): boolean {
  const { extensions } = capabilities;
  return typeof extensions === 'object' && extensions !== null && Object.hasOwn(extensions, skillsExtension);
}
