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

interface StateDotProps {
  readonly state: DotState;
  /** Replaces the word of the state. */
  readonly word?: string;
  /** Leaves the word to screen readers. */
  readonly quiet?: boolean;
  /** How much of what is `busy` is done, from 0 to 1: a ring that fills stands for it. What turns is drawn anew all the time, which is what a machine that starts fifty servers can do without. */
  readonly done?: number;
  readonly className?: string;
}

/** The same four states everywhere, and `busy` for what is on its way: each with a shape, a colour and a word. */
export function StateDot({ state, word, quiet = false, done, className }: StateDotProps) {
  const look = looks[state];
  const filling = state === 'busy' ? done : undefined;
  return (
    <span className={clsx('inline-flex items-center gap-1.5', className)}>
      <svg viewBox="0 0 10 10" className={clsx('size-2.5 shrink-0', look.ink, state === 'busy' && filling === undefined && 'animate-spin')} aria-hidden>{filling === undefined ? look.shape : <Ring done={filling} />}</svg>
      <span className={quiet ? 'sr-only' : undefined}>{word ?? look.word}</span>
    </span>
  );
}

/** Never quite empty: nothing at all would look like asleep. */
const leastDone = 0.06;
const Ring = ({ done }: { readonly done: number }) => (
  <g fill="none" stroke="currentColor" strokeWidth="1.8" transform="rotate(-90 5 5)">
    <circle cx="5" cy="5" r="3.8" strokeOpacity="0.25" />
    <circle cx="5" cy="5" r="3.8" pathLength="1" strokeDasharray={`${Math.max(leastDone, done)} 1`} />
  </g>
);
