import { useSyncExternalStore } from 'react';

const narrow = matchMedia('(width < 900px)');
const listen = (listener: () => void): (() => void) => {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
};

/** Whether the side bar folds to icons. The same width as the `compact` variant of the styles. */
export const useNarrow = (): boolean => useSyncExternalStore(listen, () => narrow.matches);
