import type { ServerDefinition } from '../../shared/model/server-definition.ts';

/** Which of the app's own servers this is. */
export const whichBuiltIn = (definition: ServerDefinition): 'notes' | 'files' | undefined =>
  definition.owner !== 'built-in' ? undefined : definition.name === 'Files' ? 'files' : 'notes';
