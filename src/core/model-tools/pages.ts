import { refused, type Refusal } from './action-answer.ts';

export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly hasMore: boolean;
  /** `null` at the end. */
  readonly nextOffset: number | null;
}

/** One page of a list, or of what was cut out of it already; an offset past its end says how to go on (F-85). */
export function pageOf<T>(items: readonly T[], total: number, offset: number): { readonly ok: true; readonly page: Page<T> } | Refusal {
  if (offset > 0 && offset >= total) {
    return refused('offset_out_of_range', `There are ${total}. Try again with offset 0.`, { total, retry: { offset: 0 } });
  }
  const next = offset + items.length;
  return { ok: true, page: { items, total, hasMore: next < total, nextOffset: next < total ? next : null } };
}

export const moreLine = ({ nextOffset, total }: Page<unknown>): readonly string[] => (nextOffset === null ? [] : [`More: offset ${nextOffset} (${total} in all)`]);

/** At most so many characters, cut after a word. */
export function preview(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= most) return line;
  const head = line.slice(0, most);
  const space = head.lastIndexOf(' ');
  return `${(space > most / 2 ? head.slice(0, space) : head).trimEnd()}…`;
}
