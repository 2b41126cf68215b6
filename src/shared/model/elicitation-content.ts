import type { JsonObject } from './catalog.ts';
import type { Elicitation } from './elicitation.ts';

/** It waits for the person, and is not only a page of theirs that stays open. */
export const isWaiting = ({ ask }: Elicitation): boolean => ask.kind === 'form' || ask.phase === 'asked';

/** What is sent: a field that was left empty has the value that the server proposed, and is left out where it proposed none. */
export function withDefaults(schema: JsonObject, content: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { properties } = schema;
  const fields = typeof properties === 'object' && properties !== null ? Object.entries(properties) : [];
  const proposed = fields.flatMap(([name, field]: readonly [string, unknown]) => (typeof field === 'object' && field !== null && 'default' in field ? [[name, field.default] as const] : []));
  return { ...Object.fromEntries(proposed), ...content };
}
