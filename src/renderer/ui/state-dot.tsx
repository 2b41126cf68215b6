import clsx from 'clsx';
import type { ReactNode } from 'react';

export type DotState = 'working' | 'needs-you' | 'trouble' | 'asleep' | 'busy';
const looks: Readonly<Record<DotState, { readonly word: string; readonly ink: string; readonly shape: ReactNode }>> = {
  working: { word: 'Working', ink: 'text-ok', shape: <circle cx="5" cy="5" r="4" fill="currentColor" /> },
  'needs-you': { word: 'Needs you', ink: 'text-ask', shape: <rect x="1.5" y="1.5" width="7" height="7" rx="1.3" fill="currentColor" transform="rotate(45 5 5)" /> },
  trouble: { word: 'Trouble', ink: 'text-bad', shape: <path d="M5 .9 9.4 8.7a.5.5 0 0 1-.4.7H1a.5.5 0 0 1-.4-.7Z" fill="currentColor" /> },
  asleep: { word: 'Asleep', ink: 'text-ink-3', shape: <circle cx="5" cy="5" r="3.3" fill="none" stroke="currentColor" strokeWidth="1.4" /> },
  busy: { word: 'Busy', ink: 'text-accent', shape: <path d="M5 1.4A3.6 3.6 0 1 1 1.4 5" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" /> },
};

/** The same four states everywhere, and `busy` for what is on its way: each with a shape, a colour and a word. `word` replaces the word; `quiet` leaves it to screen readers. */
export function StateDot({ state, word, quiet = false, className }: { readonly state: DotState; readonly word?: string; readonly quiet?: boolean; readonly className?: string }) {
  const look = looks[state];
  return (
    <span className={clsx('inline-flex items-center gap-1.5', className)}>
      <svg viewBox="0 0 10 10" className={clsx('size-2.5 shrink-0', look.ink, state === 'busy' && 'animate-spin')} aria-hidden>{look.shape}</svg>
      <span className={quiet ? 'sr-only' : undefined}>{word ?? look.word}</span>
    </span>
  );
}
