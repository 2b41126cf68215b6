import type { OutputGuard } from '../../shared/model/output-guard.ts';
import { defaultCaps, limits } from './limits.ts';
import type { TextCaps } from './fit-text.ts';

/** What of a result is shown and sent to a model at once. */
export interface OutputCaps extends TextCaps {
  /** A raw result in the chat's record, as JSON bytes. */
  readonly detailsMaxBytes: number;
}

export const defaultOutputCaps: OutputCaps = { ...defaultCaps, detailsMaxBytes: limits.detailBytes };
/** Text is passed on as it came; the record of a chat keeps its own limit. */
const uncapped: OutputCaps = { maxBytes: Number.POSITIVE_INFINITY, maxLines: Number.POSITIVE_INFINITY, detailsMaxBytes: limits.detailBytes };

/** The setting, unless the environment forces the guard on or off (F-123). */
export function outputCaps(setting: OutputGuard, forced: boolean | undefined): OutputCaps {
  if (!(forced ?? setting !== false)) return uncapped;
  return typeof setting === 'object' ? { ...defaultOutputCaps, ...Object.fromEntries(Object.entries(setting).filter(([, value]) => value !== undefined)) } : defaultOutputCaps;
}
