import { Wrench } from 'lucide-react';
import { go, hrefOf } from '../../bridge/place.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countText } from '../../ui/time.ts';
import type { CatalogSummary } from './catalog-summary.ts';
import { LookNow } from './missing-line.tsx';
import type { ToolFilter } from './tool-list.ts';

const nothing: Readonly<Record<Exclude<ToolFilter, 'all'>, { readonly title: string; readonly means: string }>> = {
  pinned: { title: 'No pinned tool', means: 'A model is given pinned tools with its question, and finds the others by searching. Pin what is needed nearly every time.' },
  hidden: { title: 'No hidden tool', means: 'No model is told of a hidden tool, and nothing calls it.' },
  problems: { title: 'No tool has a problem', means: 'Every tool of your servers can be used.' },
  cached: { title: 'Every server is connected', means: 'What a server listed at an earlier connection is shown here until it connects again.' },
};

/** Why the list is empty, and what would fill it. */
export function NoTools({
  searching,
  filter,
  onClear,
  summary,
}: {
  readonly searching: boolean;
  readonly filter: ToolFilter;
  readonly onClear: () => void;
  readonly summary: CatalogSummary;
}) {
  if (filter !== 'all' && !searching)
    return (
      <EmptyState icon={<Wrench strokeWidth={1.5} />} title={nothing[filter].title} actions={<Button onClick={onClear}>Show all tools</Button>}>
        {nothing[filter].means}
      </EmptyState>
    );
  if (searching)
    return (
      <EmptyState icon={<Wrench strokeWidth={1.5} />} title="No tool fits" actions={<Button onClick={onClear}>Show all tools</Button>}>
        Say it differently, or look at all of them.
      </EmptyState>
    );
  if (summary.starting > 0)
    return (
      <EmptyState icon={<Wrench strokeWidth={1.5} />} title="Looking">
        {countText(summary.starting, 'server')} starting. What they offer is listed here.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<Wrench strokeWidth={1.5} />}
      title="No tools yet"
      actions={
        <>
          {summary.unseen.length > 0 ? <LookNow /> : null}
          <Button look={summary.unseen.length > 0 ? 'plain' : 'quiet'} onClick={() => go({ page: 'servers', add: true })}>
            Add a server
          </Button>
        </>
      }
    >
      {summary.unseen.length > 0 ? (
        `You have ${countText(summary.unseen.length, 'server')} that nobody has looked at yet. Looking starts them.`
      ) : (
        <>
          What your{' '}
          <a href={hrefOf({ page: 'servers' })} className="text-accent underline underline-offset-2">
            servers
          </a>{' '}
          offer is listed here.
        </>
      )}
    </EmptyState>
  );
}
