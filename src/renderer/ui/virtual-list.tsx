import { useVirtualizer } from '@tanstack/react-virtual';
import clsx from 'clsx';
import { useRef, type ReactNode } from 'react';

/** A long list of which only what is in sight exists. Rows measure themselves. */
export function VirtualList<T>({ items, keyOf, renderItem, estimate, name, gap = 0, padding = 0, className }: {
  readonly items: readonly T[];
  readonly keyOf: (item: T, index: number) => string;
  readonly renderItem: (item: T, index: number) => ReactNode;
  /** The usual height of a row, in px. */
  readonly estimate: number;
  readonly name: string;
  readonly gap?: number;
  readonly padding?: number;
  readonly className?: string;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  // The rule is for React Compiler, which would skip this component; nothing here is compiled by it.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: items.length, getScrollElement: () => scroller.current, estimateSize: () => estimate, overscan: 8, gap, paddingStart: padding, paddingEnd: padding,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item, index);
    },
  });
  return (
    <div ref={scroller} className={clsx('min-h-0 overflow-y-auto', className)} tabIndex={-1}>
      <div role="list" aria-label={name} className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((row) => {
          const item = items[row.index];
          return item === undefined ? null : (
            <div
              key={row.key} ref={virtualizer.measureElement} data-index={row.index} role="listitem" aria-setsize={items.length} aria-posinset={row.index + 1}
              className="absolute top-0 left-0 w-full" style={{ transform: `translateY(${row.start}px)` }}
            >
              {renderItem(item, row.index)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
