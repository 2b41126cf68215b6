import { lazy, Suspense } from 'react';
import { create } from 'zustand';

const Palette = lazy(() => import('./palette.tsx').then((module) => ({ default: module.Palette })));
const useOpen = create<{ readonly open: boolean }>(() => ({ open: false }));

export const togglePalette = (): void => useOpen.setState(({ open }) => ({ open: !open }));
const close = (): void => useOpen.setState({ open: false });

/** Keeps the palette out of the first chunk. */
export function PaletteHost() {
  const open = useOpen((state) => state.open);
  return open ? <Suspense fallback={null}><Palette onClose={close} /></Suspense> : null;
}
