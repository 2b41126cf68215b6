import clsx from 'clsx';
import type { ReactNode } from 'react';
import type { ToolLine } from '../../../shared/model/catalog.ts';
import type { ServerOptions } from '../../../shared/model/server-options.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { go } from '../../bridge/place.ts';
import { useAsked } from '../../bridge/request-state.ts';
import { ToolDetail } from '../../bridge/tool-detail.tsx';
import { HiddenNote, ToolMarks, ToolSwitches } from '../../bridge/tool-marks.tsx';
import { ToolRow } from '../../bridge/tool-row.tsx';
import type { ToolRules } from '../../bridge/use-tool-rules.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';

/** One tool of the page: chosen, pinned, hidden, opened. */
export function ToolItem({ line, options, open, onToggle, rules, all, pinsFixed, selected, choosing, onSelect, heading, named }: {
  readonly line: ToolLine;
  readonly options: ServerOptions;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly rules: ToolRules;
  readonly all: readonly ToolLine[];
  readonly pinsFixed: boolean;
  readonly selected: boolean;
  /** Some tool is chosen: every line shows that it can be. */
  readonly choosing: boolean;
  readonly onSelect: (selected: boolean) => void;
  readonly heading: 'h3' | 'h4';
  /** Its server is said beside it. */
  readonly named: boolean;
}) {
  return (
    <ToolRow
      line={line}
      open={open}
      onToggle={onToggle}
      heading={heading}
      lead={
        <span className={clsx('py-2 pl-2', !choosing && 'opacity-0 group-hover/tool:opacity-100 group-focus-within/tool:opacity-100')}>
          <Checkbox checked={selected} onChange={onSelect} label={<span className="sr-only">Choose {line.title ?? line.tool}</span>} />
        </span>
      }
      aside={
        <>
          <ToolMarks line={line} />
          {named ? (
            <span className="max-w-40 truncate text-detail text-ink-3">
              <VisibleText text={line.serverName} />
            </span>
          ) : null}
        </>
      }
      tools={<ToolSwitches line={line} options={options} pinsFixed={pinsFixed} onPin={(pinned) => rules.pin([line], pinned, all)} onHide={(hidden) => rules.hide([line], hidden)} />}
    >
      <Opened line={line} options={options} />
    </ToolRow>
  );
}

function Opened({ line, options }: { readonly line: ToolLine; readonly options: ServerOptions }): ReactNode {
  const revision = useApp((state) => state.catalogRevision);
  const asked = useAsked(`${line.serverId} ${line.tool} ${revision ?? ''}`, (signal) => api.catalog.tool({ serverId: line.serverId, tool: line.tool }, signal));
  if (asked.phase === 'loading') return <Skeleton rows={3} />;
  if (asked.phase === 'failed') return <FailureNote error={asked.error} compact onRetry={asked.again} />;
  const tool = asked.value;
  if (!tool) return <p className="text-list text-ink-3">Its server does not offer it any more.</p>;
  return (
    <>
      <HiddenNote line={line} options={options} />
      <ToolDetail
        tool={tool}
        actions={
          <>
            {tool.problem || tool.hidden ? null : <Button onClick={() => go({ page: 'chat', tool: { serverId: tool.ref.serverId, name: tool.ref.tool } })}>Use in Direct mode</Button>}
            <Button look="plain" onClick={() => go({ page: 'servers', serverId: tool.ref.serverId })}>
              Open {tool.serverName}
            </Button>
          </>
        }
      />
    </>
  );
}
