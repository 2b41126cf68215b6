import clsx from 'clsx';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

/** What happened, what it means, and the one thing to do. `detail` is the other side's own words, folded. */
export function ErrorNote({ what, means, action, detail, tone = 'trouble', compact = false }: {
  readonly what: ReactNode;
  readonly means?: ReactNode;
  readonly action?: { readonly label: string; readonly onPress: () => void; readonly busy?: boolean } | undefined;
  readonly detail?: string | undefined;
  readonly tone?: 'trouble' | 'ask';
  readonly compact?: boolean;
}) {
  const bad = tone === 'trouble';
  return (
    <div role="alert" className={clsx('flex items-start gap-2.5 rounded-card border text-list', compact ? 'px-3 py-2' : 'px-4 py-3', bad ? 'border-bad-line bg-bad-soft' : 'border-ask-line bg-ask-soft')}>
      <TriangleAlert size={16} strokeWidth={1.75} className={clsx('mt-px shrink-0', bad ? 'text-bad' : 'text-ask')} aria-hidden />
      <div className="min-w-0 flex-1">
        <p className={clsx('font-[550] break-words', bad ? 'text-bad' : 'text-ask')}>{what}</p>
        {means ? <p className="mt-0.5 break-words text-ink-2">{means}</p> : null}
        {detail ? (
          <details className="mt-1 text-detail text-ink-2">
            <summary className="w-fit underline decoration-line-strong underline-offset-2">Details</summary>
            <pre className="mt-1 max-h-48 overflow-auto font-code text-detail break-words whitespace-pre-wrap select-text">{detail}</pre>
          </details>
        ) : null}
      </div>
      {action ? <Button size="s" onClick={action.onPress} busy={action.busy ?? false}>{action.label}</Button> : null}
    </div>
  );
}
