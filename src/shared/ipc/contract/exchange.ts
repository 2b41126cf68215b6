import * as z from 'zod';
import { ConfigScope } from '../../model/config-value.ts';
import { ExportShape, Pick, type Discovery, type ImportPlan } from '../../model/exchange.ts';
import { request } from '../define.ts';
import type { SavePreview } from './config.ts';

const picks = z.array(Pick).max(1000);
const text = z.string().max(4_194_304);
export const exchange = {
  /** Reads the files of other programs and nothing else: no process, no network, no secret command. */
  'exchange.discover': request<Discovery>()(z.strictObject({ scope: ConfigScope.optional() })),
  'exchange.preview-adopt': request<ImportPlan>()(z.strictObject({ scope: ConfigScope, picks })),
  /** Plain-text values become secrets with policy `prompt` first, then the file is written. `server/exists` for a refused duplicate. */
  'exchange.adopt': request<{ readonly added: readonly string[] }>()(z.strictObject({ scope: ConfigScope, picks })),
  /** Any shape of any client, JSON, JSONC, TOML or YAML, or one `claude mcp add …` or `npx …` line. Without picks: every candidate, duplicates refused. */
  'exchange.preview-import': request<ImportPlan>()(z.strictObject({ scope: ConfigScope, text, picks: picks.optional() })),
  'exchange.import': request<{ readonly added: readonly string[] }>()(z.strictObject({ scope: ConfigScope, text, picks: picks.optional() })),
  /** References only; other programs' shapes leave secret values out and say which. */
  'exchange.export': request<{ readonly text: string; readonly fileName: string; readonly omitted: readonly string[] }>()(
    z.strictObject({ scope: z.enum(['global', 'project', 'effective']), shape: ExportShape.default('gatehouse') }),
  ),
  /** Adds a program to the home file's `imports`, or takes it out; the program's own file is never written. */
  'exchange.set-import': request<void>()(z.strictObject({ client: z.string().max(50), on: z.boolean() })),
  /** The same, written nowhere. */
  'exchange.preview-set-import': request<SavePreview>()(z.strictObject({ client: z.string().max(50), on: z.boolean() })),
  /** Whether other programs' files count as the lowest layer (`hostConfigDiscovery`, F-11). */
  'exchange.set-discovery': request<void>()(z.strictObject({ on: z.boolean() })),
};
