import { useRef } from 'react';

/** Gives the focus back to what had it before a dialog that no button opened: a key, a menu or a link did. */
export function useReturnFocus(): { readonly remember: () => void; readonly giveBack: (event: Event) => void } {
  const before = useRef<Element>(null);
  return {
    remember: () => {
      before.current = document.activeElement;
    },
    giveBack: (event) => {
      event.preventDefault();
      const there = before.current;
      if (there instanceof HTMLElement && there.isConnected && there !== document.body) there.focus({ preventScroll: true });
      else document.getElementById('main')?.focus({ preventScroll: true });
    },
  };
}
