/** What is typed after the last `@` at the end of a text, where it begins a word; the whole text without it. */
export function mentioned(text: string): { readonly query: string; readonly rest: string } | undefined {
  const found = /(^|\s)@([^\s@]*)$/.exec(text);
  return found ? { query: found[2] ?? '', rest: text.slice(0, found.index + (found[1] ?? '').length) } : undefined;
}
