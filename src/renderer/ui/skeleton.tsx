import clsx from 'clsx';
import { useEffect, useState } from 'react';

/** True once `waiting` has lasted 200 ms: quick answers show no skeleton. */
export function useLate(waiting: boolean, afterMs = 200): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!waiting) return undefined;
    const timer = setTimeout(() => setLate(true), afterMs);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [waiting, afterMs]);
  return waiting && late;
}

const widths = ['w-2/3', 'w-1/2', 'w-3/4', 'w-2/5', 'w-3/5'] as const;

/** The place of rows that are on their way; invisible for the first 200 ms. */
export function Skeleton({ rows = 3, className }: { readonly rows?: number; readonly className?: string }) {
  const late = useLate(true);
  return (
    <div role="status" className={clsx('flex flex-col gap-3', className)}>
      <span className="sr-only">Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={clsx('h-4 rounded-control transition-opacity', widths[row % widths.length], late ? 'animate-breathe bg-hover' : 'opacity-0')} />
      ))}
    </div>
  );
}
