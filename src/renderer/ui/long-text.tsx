import clsx from 'clsx';
import { useState } from 'react';
import { foldText } from './fold.ts';
import { countText } from './time.ts';
import { VisibleText } from './visible-text.tsx';

/** Text from outside: marks for what would not be seen, folded when long, countable and openable. */
export function LongText({ text, lines = 12, characters = 1200, code = true, allLabel = 'Show all', className }: {
  readonly text: string;
  readonly lines?: number;
  readonly characters?: number;
  readonly code?: boolean;
  readonly allLabel?: string;
  readonly className?: string;
}) {
  const [open, setOpen] = useState(false);
  const fold = foldText(text, { lines, characters });
  const size = fold.lines > 1 ? `${countText(fold.lines, 'line')}, ${countText(fold.characters, 'character')}` : countText(fold.characters, 'character');
  return (
    <div className={clsx('min-w-0', className)}>
      <div
        className={clsx('break-words whitespace-pre-wrap select-text', code && 'font-code text-code', open && 'max-h-112 overflow-y-auto')}
        {...(open ? { tabIndex: 0, role: 'region', 'aria-label': 'Whole text' } : {})}
      >
        <VisibleText text={open ? text : fold.shown} />{fold.folded && !open ? ' …' : null}
      </div>
      {fold.folded ? (
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="mt-1 rounded-control text-detail text-accent underline-offset-2 hover:underline">
          {open ? 'Show less' : `${allLabel}: ${size}`}
        </button>
      ) : null}
    </div>
  );
}
