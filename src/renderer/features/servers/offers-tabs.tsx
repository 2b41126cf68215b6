import { BookText, Wrench } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { toolLine, type CatalogTool, type ToolLine } from '../../../shared/model/catalog.ts';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { go } from '../../bridge/place.ts';
import { ToolDetail } from '../../bridge/tool-detail.tsx';
import { HiddenNote, ToolMarks, ToolSwitches } from '../../bridge/tool-marks.tsx';
import { ToolRow } from '../../bridge/tool-row.tsx';
import { useToolRules, type ToolRules } from '../../bridge/use-tool-rules.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { countText } from '../../ui/time.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { fitsWords, searchFrom } from './fits-words.ts';

export function ToolsTab({
  tools,
  row,
  scroller,
  none,
}: {
  readonly tools: readonly CatalogTool[];
  readonly row: ServerRow;
  readonly scroller: HTMLElement | null;
  readonly none: ReactNode;
}) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const rules = useToolRules({ [row.definition.id]: row });
  const lines = useMemo(() => tools.map(toolLine), [tools]);
  const shown = useMemo(() => tools.filter((tool) => fitsWords(text, tool.title, tool.ref.tool, tool.description)), [tools, text]);
  const toggle = (name: string) =>
    setOpen((before) => (before.has(name) ? new Set([...before].filter((one) => one !== name)) : new Set(before).add(name)));
  if (tools.length === 0)
    return (
      <EmptyState icon={<Wrench strokeWidth={1.5} />} title="No tools">
        {none}
      </EmptyState>
    );
  return (
    <div className="flex flex-col gap-3">
      {tools.length < searchFrom ? null : (
        <SearchField
          name="Find a tool of this server"
          placeholder="Find a tool"
          value={text}
          onChange={setText}
          className="w-72 max-w-full"
        />
      )}
      <PinnedLine lines={lines} />
      {rules.error ? <FailureNote error={rules.error} compact /> : null}
      {shown.length === 0 ? <p className="px-2.5 py-4 text-list text-ink-3">No tool has these words in its name or description.</p> : null}
      <VirtualList
        within={scroller}
        name="Tools"
        items={shown}
        keyOf={(tool) => tool.ref.tool}
        estimate={54}
        gap={2}
        className="-mx-2.5"
        renderItem={(tool) => (
          <ServerTool tool={tool} row={row} all={lines} rules={rules} open={open.has(tool.ref.tool)} onToggle={() => toggle(tool.ref.tool)} />
        )}
      />
    </div>
  );
}

function ServerTool({ tool, row, all, rules, open, onToggle }: {
  readonly tool: CatalogTool;
  readonly row: ServerRow;
  readonly all: readonly ToolLine[];
  readonly rules: ToolRules;
  readonly open: boolean;
  readonly onToggle: () => void;
}) {
  const line = toolLine(tool);
  const { options } = row.definition;
  return (
    <ToolRow
      line={line}
      open={open}
      onToggle={onToggle}
      aside={<ToolMarks line={line} />}
      tools={<ToolSwitches line={line} options={options} pinsFixed={false} onPin={(pinned) => rules.pin([line], pinned, all)} onHide={(hidden) => rules.hide([line], hidden)} />}
    >
      <HiddenNote line={line} options={options} />
      <ToolDetail
        tool={tool}
        actions={
          tool.problem || tool.hidden ? undefined : (
            <Button onClick={() => go({ page: 'chat', tool: { serverId: tool.ref.serverId, name: tool.ref.tool } })}>Use in Direct mode</Button>
          )
        }
      />
    </ToolRow>
  );
}

/** What pins are for, said once above the tools. */
function PinnedLine({ lines }: { readonly lines: readonly ToolLine[] }) {
  const count = lines.filter(({ pinned }) => pinned).length;
  return (
    <p className="px-0.5 text-detail text-ink-3">
      {count === 0 ? 'None is pinned.' : count === lines.length ? 'All are pinned.' : `${countText(count, 'tool')} pinned.`} A model is given pinned tools with its question, and finds the others by searching.
    </p>
  );
}

/** As text: a server's words are never taken for markup. */
export const InstructionsTab = ({ instructions }: { readonly instructions: string | undefined }) =>
  instructions === undefined || instructions.trim() === '' ? (
    <EmptyState icon={<BookText strokeWidth={1.5} />} title="No instructions">
      This server says nothing about how it wants to be used.
    </EmptyState>
  ) : (
    <div className="flex flex-col gap-2">
      <p className="text-detail text-ink-3">Written by the server. Models are given it together with the tools.</p>
      <LongText
        text={instructions}
        code={false}
        lines={60}
        characters={8000}
        className="rounded-card border border-line bg-card px-4 py-3 text-list text-ink"
      />
    </div>
  );
