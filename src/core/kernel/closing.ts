/** Why what runs is ended when the app closes: not because anybody wanted it to stop. */
export const closing = new DOMException('Gatehouse is closing', 'AbortError');
