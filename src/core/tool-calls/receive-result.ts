import type { CatalogTool } from '../../shared/model/catalog.ts';
import type { ToolResult } from '../../shared/model/content.ts';
import type { ToolCall } from '../../shared/model/tool-call.ts';
import type { RawToolResult } from '../connections/session.ts';
import { keeperOf } from '../contents/keeper.ts';
import { expectedParameters } from '../guard/expected-parameters.ts';
import type { OutputCaps } from '../guard/output-caps.ts';
import { guardResult } from '../guard/results.ts';
import type { ContentStore, SchemaValidator } from '../ports.ts';

export interface ReceiveResultDeps {
  readonly contents: ContentStore;
  readonly schemas: SchemaValidator;
  readonly mask: (text: string) => string;
  readonly caps: () => OutputCaps;
}

/** A server's answer on its way in: held against what the tool promised, then through the guard. Throws AppError. */
export async function receiveResult(raw: RawToolResult, call: ToolCall, tool: CatalogTool, { contents, schemas, mask, caps }: ReceiveResultDeps, signal: AbortSignal): Promise<{ readonly result: ToolResult; readonly isError: boolean }> {
  const remarks = raw.isError ? { expected: expectedParameters(tool.inputSchema) } : { schemaMismatch: await mismatch(raw, tool, schemas, signal) };
  const keeper = keeperOf(call.caller);
  const result = await guardResult(raw.raw, { mask, caps: caps(), keep: (source, mimeType) => contents.put(keeper, source, mimeType, signal) }, remarks);
  return { isError: raw.isError, result };
}

/** A result that does not fit its own promise is kept all the same, and says so; an error promises nothing (F-127 as decided). */
async function mismatch({ structuredContent }: RawToolResult, { outputSchema }: CatalogTool, schemas: SchemaValidator, signal: AbortSignal): Promise<string | undefined> {
  if (!outputSchema) return undefined;
  if (structuredContent === undefined) return 'it promises a structured result, and there is none';
  const verdict = await schemas.check(outputSchema, structuredContent, signal);
  return verdict.kind === 'misfits' ? verdict.problems.slice(0, 3).join('; ') : undefined;
}
