import clsx from 'clsx';
import { ChevronRight } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import { Badge } from '../ui/badge.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { ToolDetail } from './tool-detail.tsx';

/** A tool as one line that opens to all that is known of it. */
export function ToolRow({
  tool,
  open,
  onToggle,
  aside,
  actions,
}: {
  readonly tool: CatalogTool;
  readonly open: boolean;
  readonly onToggle: () => void;
  /** At the line's end: which server, where several are listed together. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
}) {
  const id = useId();
  return (
    <div className={clsx('rounded-card border transition-colors', open ? 'border-line bg-card/60' : 'border-transparent')}>
      <h3>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={onToggle}
          className={clsx(
            'flex w-full min-w-0 items-start gap-2 rounded-card px-2.5 py-2 text-left transition-colors',
              'focus-visible:outline-offset-[-2px]',
            !open && 'hover:bg-hover',
          )}
        >
          <ChevronRight
            size={14}
            strokeWidth={1.75}
            className={clsx('mt-0.5 shrink-0 text-ink-3 transition-transform', open && 'rotate-90')}
            aria-hidden
          />
          <span className="min-w-0 flex-1">
            <span className="flex min-w-0 items-baseline gap-2 text-list">
              <span className="min-w-0 shrink-0 max-w-full truncate font-[550] text-ink">
                <VisibleText text={tool.title ?? tool.ref.tool} />
              </span>
              {tool.title === undefined || tool.title === tool.ref.tool ? null : (
                <code className="min-w-0 truncate text-detail text-ink-3">
                  <VisibleText text={tool.ref.tool} />
                </code>
              )}
            </span>
            {open ? null : (
              <span className="block truncate text-list text-ink-2">
                <VisibleText text={tool.problem ?? firstLine(tool.description)} />
              </span>
            )}
          </span>
          <span className="flex shrink-0 items-center gap-2">
            {tool.problem ? (
              <Badge tone="bad">Cannot be used</Badge>
            ) : tool.annotations.destructiveHint === true && tool.annotations.readOnlyHint !== true ? (
              <span className="text-detail text-ink-3">says it can destroy</span>
            ) : null}
            {aside}
          </span>
        </button>
      </h3>
      {open ? (
        <div id={id} className="border-t border-line px-4 pt-3 pb-4 pl-8.5">
          <ToolDetail tool={tool} actions={actions} />
        </div>
      ) : null}
    </div>
  );
}

const firstLine = (text: string): string => text.trim().split('\n')[0]?.slice(0, 300) ?? '';
