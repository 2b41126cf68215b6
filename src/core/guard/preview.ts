import { visibleText } from '../../shared/text/visible-text.ts';

const cut = '…';

/** Arguments as JSON in at most `maxChars` characters, with whatever would not be seen made visible; for places that have no room for all of it. */
export function previewOf(args: unknown, maxChars = 500): string {
  const shown = visibleText(JSON.stringify(args) ?? '');
  if (shown.length <= maxChars) return shown;
  const start = shown.slice(0, maxChars - cut.length);
  // Half a character would look like another one.
  return (/[\uD800-\uDBFF]$/.test(start) ? start.slice(0, -1) : start) + cut;
}
