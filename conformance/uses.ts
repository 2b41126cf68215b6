import type { ServerCatalog } from '../src/shared/model/catalog.ts';
import type { Scenario } from './scenario-context.ts';

export interface Use {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What is done with the server once it is there: what a scenario asks for, or each tool once. */
export function usesOf({ name, context }: Scenario, { tools }: ServerCatalog): readonly Use[] {
  // A person leaves a field empty that has no value.
  if (context.toolCalls) return context.toolCalls.map(({ name: tool, arguments: args }) => ({ tool, args: Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null)) }));
  if (name === 'tools_call') return [{ tool: 'add_numbers', args: { a: 2, b: 3 } }];
  if (name === 'json-schema-2020-12-preservation') {
    // What was received of one tool's schema goes back through the other.
    const focal = tools.find(({ ref }) => ref.tool === 'json_schema_2020_12_tool');
    return [{ tool: 'json_schema_echo', args: { schema: focal?.inputSchema } }];
  }
  return tools.filter(({ problem }) => problem === undefined).map(({ ref, inputSchema }) => ({ tool: ref.tool, args: Object.fromEntries(required(inputSchema).map((field) => [field, 'us-west1'])) }));
}

function required(schema: Readonly<Record<string, unknown>>): readonly string[] {
  const names: unknown = schema['required'];
  return Array.isArray(names) ? names.filter((field) => typeof field === 'string') : [];
}
