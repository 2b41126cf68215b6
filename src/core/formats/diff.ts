import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/**
 * Unified diff with three lines around each change; empty when nothing changes. It holds the text as it is: what must not be shown is masked
 * by the caller before.
 */
export function unifiedDiff(file: string, before: string | undefined, after: string): string {
  if ((before ?? '') === after) return '';
  const headerOptions = FILE_HEADERS_ONLY;
  const from = before === undefined ? '/dev/null' : file;
  const patch = createTwoFilesPatch(from, file, before ?? '', after, undefined, undefined, { context: 3, headerOptions, timeout: 500 });
  // Two long texts with nothing in common take too long to compare: then the whole is replaced.
  return patch ?? createTwoFilesPatch(from, file, '', after, undefined, undefined, { headerOptions });
}
