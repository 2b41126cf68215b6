const isMac = /mac/i.test(globalThis.navigator?.platform ?? '');
const macNames: Readonly<Record<string, string>> = { mod: '⌘', shift: '⇧', alt: '⌥', enter: '↵', escape: 'esc' };
const otherNames: Readonly<Record<string, string>> = { mod: 'Ctrl', shift: 'Shift', alt: 'Alt', enter: '↵', escape: 'Esc' };

/** `mod+k` in the words of this platform. */
export const keyLabel = (keys: string): string =>
  keys.split('+').map((key) => (isMac ? macNames : otherNames)[key] ?? key.toUpperCase()).join(isMac ? ' ' : '+');

export const KeyHint = ({ keys }: { readonly keys: string }) => (
  <kbd className="inline-flex h-4.5 items-center rounded-[4px] border border-b-2 border-line-strong bg-pane px-1 text-[10.5px] leading-none whitespace-nowrap text-ink-3">{keyLabel(keys)}</kbd>
);
