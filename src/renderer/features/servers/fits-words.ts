/** So many that finding needs words. */
export const searchFrom = 9;

/** Whether the fields hold every word of the text. */
export function fitsWords(text: string, ...fields: readonly (string | undefined)[]): boolean {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const all = fields.join(' ').toLowerCase();
  return words.every((word) => all.includes(word));
}
