import clsx from 'clsx';
import { useState, type ReactNode } from 'react';

/** The part of a page below its header: one column that scrolls as a whole. Lists in it get what scrolls. */
export function ScrollPage({
  width = 'wide',
  children,
}: {
  readonly width?: 'column' | 'wide';
  readonly children: ReactNode | ((scroller: HTMLElement | null) => ReactNode);
}) {
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  return (
    <div ref={setScroller} className="min-h-0 flex-1 overflow-y-auto [scrollbar-gutter:stable]">
      <div
        className={clsx(
          'mx-auto flex w-full flex-col gap-5 px-6 py-6 compact:px-4 compact:py-4',
          width === 'column' ? 'max-w-(--column)' : 'max-w-256',
        )}
      >
        {typeof children === 'function' ? children(scroller) : children}
      </div>
    </div>
  );
}
