/**
 * What text of a conversation is drawn in. Weight, slope, family and size of each are looked up by another process when it is first drawn, and the page
 * waits for it.
 */
const faces = [
  ...['400', 'italic 400', '600', '700', 'italic 700'].map((face) => `${face} var(--size-body) var(--font-text)`),
  ...['400', '550', '600'].map((face) => `${face} var(--size-list) var(--font-text)`),
  '600 var(--size-title) var(--font-text)', '400 var(--size-detail) var(--font-text)',
  '400 var(--size-code) var(--font-code)', 'italic 400 var(--size-code) var(--font-code)', '400 calc(0.9 * var(--size-body)) var(--font-code)',
];

/** Draws a letter in each face where nobody sees it, one a step: what needs a face later has it at once. */
export const warmFaces: readonly (() => void)[] = faces.map((font) => () => {
  const letter = document.createElement('span');
  letter.textContent = 'a';
  letter.setAttribute('aria-hidden', 'true');
  letter.style.cssText = `position: fixed; visibility: hidden; font: ${font}`;
  document.body.append(letter);
  letter.getBoundingClientRect(); // lays it out now, in this step
  letter.remove();
});
