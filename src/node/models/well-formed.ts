/** Half a surrogate pair (a text cut in the middle of an emoji) makes providers refuse the whole request as invalid JSON. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
