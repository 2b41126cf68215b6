import clsx from 'clsx';
import type { ReactNode } from 'react';

const tones = {
  plain: 'border-line bg-pane text-ink-2',
  ask: 'border-ask-line bg-ask-soft text-ask',
  ok: 'border-transparent bg-ok-soft text-ok',
  bad: 'border-bad-line bg-bad-soft text-bad',
  accent: 'border-accent-line bg-accent-soft text-accent',
} as const;

/** A few words about a thing, beside it. */
export const Badge = ({ tone = 'plain', children, className }: { readonly tone?: keyof typeof tones; readonly children: ReactNode; readonly className?: string }) => (
  <span className={clsx('inline-flex h-5 shrink-0 items-center gap-1 rounded-[5px] border px-1.5 text-detail whitespace-nowrap', tones[tone], className)}>{children}</span>
);

/** How many wait for the person. Nothing when none does. */
export const CountBadge = ({ count, name }: { readonly count: number; readonly name: string }) =>
  count === 0 ? null : (
    <span className="inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-full bg-ask-soft px-1.5 text-detail font-semibold text-ask ring-1 ring-ask-line">
      {count}<span className="sr-only"> {name}</span>
    </span>
  );
