import { ChevronRight, KeySquare } from 'lucide-react';
import { useId, useMemo, useRef, useState } from 'react';
import type { Grant } from '../../../shared/model/tool-call.ts';
import type { AppState } from '../../../shared/state/app-state.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { agoText } from '../../ui/time.ts';
import { useNow } from '../../ui/use-now.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { groupGrants, type GrantGroup } from './grant-groups.ts';

const noGrants: readonly Grant[] = [];
const noServers: AppState['servers'] = {};
const searchFrom = 12;
const shownAtFirst = 50;

/** What may run without a question, by server, each to be taken back. */
export function GrantList() {
  const grants = useApp((state) => state.grants) ?? noGrants;
  const servers = useApp((state) => state.servers) ?? noServers;
  const [text, setText] = useState('');
  const [all, setAll] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const fitting = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    return grants.filter((grant) => `${grant.serverName} ${grant.tool?.name ?? 'every tool'}`.toLowerCase().includes(wanted));
  }, [grants, text]);
  const groups = useMemo(() => groupGrants(all ? fitting : fitting.slice(0, shownAtFirst), servers), [fitting, servers, all]);
  return (
    <section aria-labelledby="allowed" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id="allowed" ref={heading} tabIndex={-1} className="flex-1 text-title font-semibold text-ink focus-visible:outline-none">
          Allowed for longer{grants.length > 1 ? <span className="font-normal text-ink-3"> {grants.length}</span> : null}
        </h2>
        {grants.length < searchFrom ? null : <SearchField name="Find a permission" value={text} onChange={setText} className="w-56" />}
      </div>
      {grants.length === 0 ? (
        <div className="rounded-card border border-dashed border-line-strong">
          <EmptyState icon={<KeySquare strokeWidth={1.5} />} title="Nothing is allowed for longer">
            “Always allow” on a question puts its tool here. It can be taken back at any time.
          </EmptyState>
        </div>
      ) : null}
      {grants.length > 0 && fitting.length === 0 ? <p className="text-list text-ink-3">No permission has these words.</p> : null}
      {groups.map((group) => (
        <Group key={`${group.serverId} ${group.grants[0]?.serverRevision}`} group={group} onRevoked={() => heading.current?.focus()} />
      ))}
      {!all && fitting.length > shownAtFirst ? (
        <Button look="plain" className="self-start" onClick={() => setAll(true)}>
          Show all {fitting.length}
        </Button>
      ) : null}
    </section>
  );
}

const Group = ({ group, onRevoked }: { readonly group: GrantGroup; readonly onRevoked: () => void }) => (
  <div className="overflow-hidden rounded-card border border-line bg-card">
    <div className="border-b border-line bg-sunken px-4 py-2">
      <h3 className="flex min-w-0 flex-wrap items-center gap-2 text-list font-semibold text-ink">
        <VisibleText text={group.serverName} />
        {group.server === 'same' ? null : (
          <Badge tone="ask">{group.server === 'changed' ? 'Changed since: asks again' : 'Removed: does nothing'}</Badge>
        )}
      </h3>
      <p className="truncate font-code text-detail text-ink-3 select-text" title={group.target}>
        <VisibleText text={group.target} />
      </p>
    </div>
    <ul>
      {group.grants.map((grant) => (
        <Row key={grant.id} grant={grant} onRevoked={onRevoked} />
      ))}
    </ul>
  </div>
);

function Row({ grant, onRevoked }: { readonly grant: Grant; readonly onRevoked: () => void }) {
  const now = useNow();
  const id = useId();
  const [open, setOpen] = useState(false);
  const { state, run } = useRequest();
  const what = grant.tool?.name ?? 'Every tool of this server';
  const revoke = () =>
    run(async () => {
      await api.approvals.revoke({ grantId: grant.id });
      onRevoked();
    });
  return (
    <li className="border-t border-line first:border-t-0">
      <div className="flex min-w-0 items-center gap-3 px-4 py-2 text-list">
        {grant.tool ? (
          <button
            type="button"
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
            className="-ml-1 flex min-w-0 flex-1 items-center gap-1.5 rounded-control px-1 py-0.5 text-left hover:bg-hover"
          >
            <ChevronRight size={12} className={`shrink-0 text-ink-3 transition-transform ${open ? 'rotate-90' : ''}`} aria-hidden />
            <code className="min-w-0 truncate text-code text-ink">
              <VisibleText text={what} />
            </code>
            <span className="sr-only">: what you allowed</span>
          </button>
        ) : (
          <span className="min-w-0 flex-1 font-[550] text-ink">{what}</span>
        )}
        <time
          dateTime={new Date(grant.grantedAt).toISOString()}
          title={new Date(grant.grantedAt).toLocaleString()}
          className="shrink-0 text-detail text-ink-3"
        >
          {agoText(grant.grantedAt, now)}
        </time>
        <Button size="s" busy={state.phase === 'sending'} aria-label={`Revoke: ${what} on ${grant.serverName}`} onClick={revoke}>
          Revoke
        </Button>
      </div>
      {open && grant.tool ? (
        <div id={id} className="px-4 pb-3">
          <p className="mb-1 text-detail text-ink-3">The tool as you allowed it. When its server changes it, you are asked again.</p>
          <CodeBlock
            code={visibleText(grant.tool.definition)}
            language="json"
            maxHeight="max-h-72"
            onCopy={(copied) => api.shell.copy({ text: copied })}
          />
        </div>
      ) : null}
      {state.phase === 'failed' ? (
        <div className="px-4 pb-2">
          <FailureNote error={state.error} compact />
        </div>
      ) : null}
    </li>
  );
}
