import clsx from 'clsx';
import { ChevronRight } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import type { ToolLine } from '../../shared/model/catalog.ts';
import { Badge } from '../ui/badge.tsx';
import { VisibleText } from '../ui/visible-text.tsx';

/** A tool as one line that opens to all that is known of it (`children`). */
export function ToolRow({
  line,
  open,
  onToggle,
  heading: Heading = 'h3',
  lead,
  aside,
  tools,
  children,
}: {
  readonly line: Pick<ToolLine, 'tool' | 'title' | 'about' | 'problem' | 'hidden' | 'destroys'>;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly heading?: 'h3' | 'h4';
  /** Before the line, such as what chooses it. */
  readonly lead?: ReactNode;
  /** At the line's end: which server, where several are listed together. */
  readonly aside?: ReactNode;
  /** After the line: what can be done to it without opening it. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <div className={clsx('group/tool rounded-card border transition-colors', open ? 'border-line bg-card/60' : 'border-transparent hover:bg-hover')}>
      <div className="flex min-w-0 items-start">
        {lead}
        <Heading className="min-w-0 flex-1">
          <button
            type="button"
            aria-expanded={open}
            aria-controls={id}
            onClick={onToggle}
            className="flex w-full min-w-0 items-start gap-2 rounded-card px-2.5 py-2 text-left focus-visible:outline-offset-[-2px]"
          >
            <ChevronRight
              size={14}
              strokeWidth={1.75}
              className={clsx('mt-0.5 shrink-0 text-ink-3 transition-transform', open && 'rotate-90')}
              aria-hidden
            />
            <span className="min-w-0 flex-1">
              <span className="flex min-w-0 items-baseline gap-2 text-list">
                <span className={clsx('min-w-0 shrink-0 max-w-full truncate font-[550]', line.hidden ? 'text-ink-3' : 'text-ink')}>
                  <VisibleText text={line.title ?? line.tool} />
                </span>
                {line.title === undefined || line.title === line.tool ? null : (
                  <code className="min-w-0 truncate text-detail text-ink-3">
                    <VisibleText text={line.tool} />
                  </code>
                )}
              </span>
              {open ? null : (
                <span className={clsx('block truncate text-list', line.hidden ? 'text-ink-3' : 'text-ink-2')}>
                  <VisibleText text={line.problem ?? line.about} />
                </span>
              )}
            </span>
            <span className="flex shrink-0 items-center gap-2">
              {line.problem ? <Badge tone="bad">Cannot be used</Badge> : line.destroys ? <span className="text-detail text-ink-3 compact:hidden">says it can destroy</span> : null}
              {aside}
            </span>
          </button>
        </Heading>
        {tools}
      </div>
      {open ? (
        <div id={id} className={clsx('border-t border-line px-4 pt-3 pb-4', lead ? 'pl-16 compact:pl-8.5' : 'pl-8.5')}>
          {children}
        </div>
      ) : null}
    </div>
  );
}
