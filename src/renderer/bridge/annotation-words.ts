interface Annotations {
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
}

/** What the server says of its tool, in words that say who says it. It is shown and believed by nothing. */
export function annotationWords(annotations: Annotations): readonly { readonly text: string; readonly tone: 'plain' | 'ask' }[] {
  const words: { readonly text: string; readonly tone: 'plain' | 'ask' }[] = [];
  if (annotations.readOnlyHint === true) words.push({ text: 'The server says: reads only', tone: 'plain' });
  else if (annotations.destructiveHint === true) words.push({ text: 'The server says: can destroy', tone: 'ask' });
  return words;
}
