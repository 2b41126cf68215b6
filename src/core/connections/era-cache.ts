import * as z from 'zod';
import type { Revision } from '../../shared/ids.ts';
import { Lanes } from '../kernel/lanes.ts';
import type { Documents, Log } from '../ports.ts';
import type { EraCache, EraVerdict } from './session.ts';

const file = 'eras.json';
const kept = 500;
const Verdict = z.union([
  z.strictObject({ era: z.literal('modern'), at: z.number() }),
  z.strictObject({ era: z.literal('legacy'), at: z.number(), over: z.literal('sse').optional(), offered: z.literal('2024-11-05').optional() }),
]);
const File = z.object({ version: z.literal(1), verdicts: z.record(z.string(), z.unknown()) });

/** How servers were last reached, kept across starts. A file that cannot be read costs one probe a server and nothing else. */
export async function loadEraCache(deps: { readonly documents: Documents; readonly log: Log }, signal: AbortSignal): Promise<EraCache & { readonly saved: () => Promise<void> }> {
  const verdicts = new Map<string, EraVerdict>();
  const lanes = new Lanes<'file'>();
  try {
    const text = await deps.documents.read(file, signal);
    const parsed = text === undefined ? undefined : File.parse(JSON.parse(text));
    for (const [key, value] of Object.entries(parsed?.verdicts ?? {})) {
      const verdict = Verdict.safeParse(value);
      if (verdict.success) verdicts.set(key, compact(verdict.data));
    }
  } catch (error) {
    deps.log.error('What was known about protocol versions could not be read', error);
  }
  const save = () =>
    lanes.run('file', () => deps.documents.update(file, () => `${JSON.stringify({ version: 1, verdicts: Object.fromEntries([...verdicts].slice(-kept)) })}\n`, AbortSignal.timeout(30_000)));
  return {
    get: (key: Revision) => verdicts.get(key),
    set: (key: Revision, verdict) => {
      verdicts.delete(key);
      if (verdict) verdicts.set(key, verdict);
      save().catch((error: unknown) => deps.log.error('What is known about protocol versions could not be saved', error));
    },
    saved: () => lanes.drained(),
  };
}

const compact = (verdict: z.infer<typeof Verdict>): EraVerdict =>
  verdict.era === 'modern' ? verdict : { era: 'legacy', at: verdict.at, ...(verdict.over ? { over: verdict.over } : {}), ...(verdict.offered ? { offered: verdict.offered } : {}) };
