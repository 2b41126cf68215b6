import { useVirtualizer } from '@tanstack/react-virtual';
import clsx from 'clsx';
import { memo, startTransition, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';

interface Props<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T, index: number) => string;
  readonly renderItem: (item: T, index: number) => ReactNode;
  /** The usual height of a row, in px. */
  readonly estimate: number;
  readonly name: string;
  readonly gap?: number;
  readonly padding?: number;
  readonly className?: string;
  /** What scrolls, when the list is a part of a longer page; `null` until it is there. Absent: the list scrolls by itself. */
  readonly within?: HTMLElement | null;
  /** The row to bring into sight when it is first there. */
  readonly reveal?: string | undefined;
}

/** A long list of which only what is in sight exists. Rows measure themselves. */
export function VirtualList<T>({ items, keyOf, renderItem, estimate, name, gap = 0, padding = 0, className, within, reveal }: Props<T>) {
  const own = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const margin = useMargin(within, list);
  // The rule is for React Compiler, which would skip this component; nothing here is compiled by it.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => (within === undefined ? own.current : within),
    estimateSize: () => estimate,
    overscan: 6,
    gap,
    paddingStart: padding,
    paddingEnd: padding,
    scrollMargin: margin,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item, index);
    },
  });
  const revealed = reveal === undefined ? -1 : items.findIndex((item, index) => keyOf(item, index) === reveal);
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (revealed < 0 || shown.current === reveal || within === null) return;
    shown.current = reveal;
    virtualizer.scrollToIndex(revealed, { align: 'auto' });
  }, [revealed, reveal, virtualizer, within]);
  const rows = (
    <div ref={list} role="list" aria-label={name} className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map((row) => {
        const item = items[row.index];
        return item === undefined ? null : (
          <div
            key={row.key}
            ref={virtualizer.measureElement}
            data-index={row.index}
            role="listitem"
            aria-setsize={items.length}
            aria-posinset={row.index + 1}
            className="absolute top-0 left-0 w-full"
            style={{ transform: `translateY(${row.start - margin}px)` }}
          >
            <Content item={item} index={row.index} render={renderItem} late={virtualizer.isScrolling} estimate={estimate} />
          </div>
        );
      })}
    </div>
  );
  return within === undefined ? (
    <div ref={own} className={clsx('min-h-0 overflow-y-auto', className)} tabIndex={-1}>
      {rows}
    </div>
  ) : (
    <div className={className}>{rows}</div>
  );
}

interface ContentProps<T> {
  readonly item: T;
  readonly index: number;
  readonly render: (item: T, index: number) => ReactNode;
  /** The list is being scrolled: the row may come a moment later, so that the hand is never held up by what it passes. */
  readonly late: boolean;
  readonly estimate: number;
}
function LateContent<T>({ item, index, render, late, estimate }: ContentProps<T>) {
  const [there, setThere] = useState(!late);
  useEffect(() => {
    // React draws a transition in slices of a few milliseconds.
    if (!there) startTransition(() => setThere(true));
  }, [there]);
  return there ? render(item, index) : <div style={{ height: estimate }} />;
}
/** Scrolling draws the list anew: rows that were there before are not. */
const Content = memo(LateContent, (one, other) => one.item === other.item && one.index === other.index && one.render === other.render) as typeof LateContent; // memo forgets that it is generic

/** How far below the top of the page's content the list begins, in px; what stands above it may grow and shrink. */
function useMargin(within: HTMLElement | null | undefined, list: { readonly current: HTMLElement | null }): number {
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    if (!within) return undefined;
    const measure = () => {
      if (list.current)
        setMargin(Math.round(list.current.getBoundingClientRect().top - within.getBoundingClientRect().top + within.scrollTop));
    };
    measure();
    const watch = new ResizeObserver(measure);
    for (const child of within.children) watch.observe(child);
    return () => watch.disconnect();
  }, [within, list]);
  return margin;
}
