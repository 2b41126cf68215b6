import { useEffect, useSyncExternalStore } from 'react';
import { useApp } from '../bridge/live.ts';

const dark = matchMedia('(prefers-color-scheme: dark)');
const listen = (listener: () => void): (() => void) => {
  dark.addEventListener('change', listener);
  return () => dark.removeEventListener('change', listener);
};

/** Puts the theme on the page: the person's choice, or the system's until it is known. */
export function useTheme(): void {
  const chosen = useApp((state) => state.settings.theme) ?? 'system';
  const systemDark = useSyncExternalStore(listen, () => dark.matches);
  const theme = chosen === 'system' ? (systemDark ? 'dark' : 'light') : chosen;
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
}
