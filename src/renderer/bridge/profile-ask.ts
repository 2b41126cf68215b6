import { create } from 'zustand';

const useOpen = create<{ readonly open: boolean }>(() => ({ open: false }));

/** Opens the choice of a profile for the chat that the window shows. */
export const askProfile = (): void => useOpen.setState({ open: true });
export const closeProfile = (): void => useOpen.setState({ open: false });
export const useProfileAsked = (): boolean => useOpen((state) => state.open);
