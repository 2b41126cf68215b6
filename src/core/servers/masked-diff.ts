import { unifiedDiff } from '../formats/diff.ts';
import { maskText } from '../formats/mask-text.ts';

/** A diff of one of our JSON files for people: what looks secret is masked on either side, also in the lines around a change and in entries that cannot be used. */
export const maskedDiff = (file: string, before: string | undefined, after: string): string =>
  unifiedDiff(file, before === undefined ? undefined : maskText(before), maskText(after));
