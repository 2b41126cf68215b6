import { create } from 'zustand';

const useOpen = create<{ readonly open: boolean }>(() => ({ open: false }));

/** Shows what the open project's files would run, and asks; nothing while there is nothing to ask. */
export const askTrust = (): void => useOpen.setState({ open: true });
export const closeTrust = (): void => useOpen.setState({ open: false });
export const useTrustAsked = (): boolean => useOpen((state) => state.open);
