import type { ApproveTools } from '../../shared/model/server-options.ts';

/** Whoever comes on top may want more questions, never fewer: a `false` is ignored, and globs come to those below. */
export function joinApproveTools(below: ApproveTools | undefined, above: ApproveTools | undefined): ApproveTools | undefined {
  if (above === undefined || above === false) return below;
  if (above === true || below === true) return true;
  return [...new Set([...(below === undefined || below === false ? [] : below), ...above])];
}
