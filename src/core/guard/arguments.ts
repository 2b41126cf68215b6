import type { JsonObject } from '../../shared/model/catalog.ts';
import type { SchemaValidator } from '../ports.ts';
import { limits } from './limits.ts';

/** Why nobody is sent these, whatever their schema. */
export const sizeProblem = (args: JsonObject): string | undefined => (JSON.stringify(args).length > limits.arguments ? 'The arguments are larger than 4 MiB' : undefined);

/** Why these arguments may not be sent; `undefined` when they may. The server's own schema is the judge. */
export async function argumentProblem(schemas: SchemaValidator, inputSchema: JsonObject, args: JsonObject, signal: AbortSignal): Promise<string | undefined> {
  const tooLarge = sizeProblem(args);
  if (tooLarge !== undefined) return tooLarge;
  const verdict = await schemas.check(inputSchema, args, signal);
  switch (verdict.kind) {
    case 'fits':
      return undefined;
    case 'misfits':
      return `The arguments do not fit the tool: ${verdict.problems.slice(0, 5).join('; ')}`;
    case 'unusable':
      return `The arguments could not be checked against the tool's schema (${verdict.message})`;
  }
}
