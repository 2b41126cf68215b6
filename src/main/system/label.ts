/** Format and control characters, among them those that turn text around, hide in it, or tag it. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A server's or tool's own name as one plain line, for places that cannot mark strange characters: menus and notifications. */
export function plainLabel(text: string, longest = 60): string {
  const plain = text.replace(/\s/gu, ' ').replace(unseen, '').replace(/ +/g, ' ').trim();
  // Cut between characters, not inside one.
  return plain.length <= longest ? plain : `${plain.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** In a menu, `&` would underline what follows. */
export const menuLabel = (text: string, longest?: number): string => plainLabel(text, longest).replaceAll('&', '&&');

/** Notification services may read markup. */
export const noticeLabel = (text: string, longest?: number): string =>
  plainLabel(text, longest).replaceAll('<', '‹').replaceAll('>', '›').replaceAll('&', '＆');
