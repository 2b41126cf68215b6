/** What was brought from another computer's browser: the address that it was sent to, or the code alone; `undefined` while it is neither. */
export function answerOf(typed: string): { readonly redirectUrl: string } | { readonly code: string } | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  // An address without its beginning, as address bars show it, is one all the same.
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : /^[^\s/?]+(:\d+)?\/[^\s?]*\?\S*=/.test(text) ? `http://${text}` : undefined;
  if (address !== undefined) return URL.canParse(address) ? { redirectUrl: address } : undefined;
  return /\s/.test(text) ? undefined : { code: text };
}
