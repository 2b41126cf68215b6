import { useCallback, useState, type ReactNode } from 'react';
import { foldText } from './fold.ts';
import { countText } from './time.ts';
import { VisibleText } from './visible-text.tsx';

const limits = { lines: 3, characters: 8_000 };

/** The first three lines of a text from outside, as they wrap here, and of at most 8,000 characters; `children` is the whole of it, when asked for. */
export function FoldedLines({ text, allLabel = 'Show all', children }: { readonly text: string; readonly allLabel?: string; readonly children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const [wraps, setWraps] = useState(false);
  const fold = foldText(text, limits);
  // How a text wraps is known only once it stands there, and again when the window changes.
  const watch = useCallback((element: HTMLDivElement | null) => {
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWraps(element.scrollHeight > element.clientHeight + 1));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const folded = fold.folded || wraps || open;
  const size = fold.lines > 1 ? `${countText(fold.lines, 'line')}, ${countText(fold.characters, 'character')}` : countText(fold.characters, 'character');
  return (
    <div className="min-w-0">
      {open ? children : <div ref={watch} className="line-clamp-3 font-code text-code break-words whitespace-pre-wrap select-text"><VisibleText text={fold.shown} />{fold.folded ? ' …' : null}</div>}
      {folded ? (
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="mt-1 rounded-control text-detail text-accent underline-offset-2 hover:underline">
          {open ? 'Show less' : `${allLabel}: ${size}`}
        </button>
      ) : null}
    </div>
  );
}
