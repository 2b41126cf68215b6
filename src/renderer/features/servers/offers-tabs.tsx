import { BookText, FileText, MessageSquareText, Wrench } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { toolLine, type CatalogPrompt, type CatalogResource, type CatalogTool, type ServerCatalog, type ToolLine } from '../../../shared/model/catalog.ts';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { go } from '../../bridge/place.ts';
import { copyText, ToolDetail } from '../../bridge/tool-detail.tsx';
import { HiddenNote, ToolMarks, ToolSwitches } from '../../bridge/tool-marks.tsx';
import { ToolRow } from '../../bridge/tool-row.tsx';
import { useToolRules, type ToolRules } from '../../bridge/use-tool-rules.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/code-block.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { bytesText, countText } from '../../ui/time.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';

/** So many that finding needs words. */
const searchFrom = 9;
const fits = (text: string, ...fields: readonly (string | undefined)[]): boolean => {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const all = fields.join(' ').toLowerCase();
  return words.every((word) => all.includes(word));
};

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
  const shown = useMemo(() => tools.filter((tool) => fits(text, tool.title, tool.ref.tool, tool.description)), [tools, text]);
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

type AnyResource = { readonly key: string; readonly template: boolean } & Omit<CatalogResource, 'uri'>;

export function ResourcesTab({ catalog, scroller }: { readonly catalog: ServerCatalog; readonly scroller: HTMLElement | null }) {
  const [text, setText] = useState('');
  const all = useMemo(
    (): readonly AnyResource[] => [
      ...catalog.resources.map(({ uri, ...rest }) => ({ ...rest, key: uri, template: false })),
      ...catalog.resourceTemplates.map(({ uriTemplate, ...rest }) => ({ ...rest, key: uriTemplate, template: true })),
    ],
    [catalog],
  );
  const shown = useMemo(() => all.filter((one) => fits(text, one.name, one.title, one.key, one.description)), [all, text]);
  if (all.length === 0)
    return (
      <EmptyState icon={<FileText strokeWidth={1.5} />} title="No resources">
        This server offers no files, records or other things to read.
      </EmptyState>
    );
  return (
    <div className="flex flex-col gap-3">
      {all.length < searchFrom ? null : <SearchField name="Find a resource" value={text} onChange={setText} className="w-72 max-w-full" />}
      {shown.length === 0 ? <p className="py-4 text-list text-ink-3">No resource has these words.</p> : null}
      <VirtualList
        within={scroller}
        name="Resources"
        items={shown}
        keyOf={(one) => `${one.template} ${one.key}`}
        estimate={58}
        renderItem={(one) => <ResourceRow resource={one} />}
      />
    </div>
  );
}

const ResourceRow = ({ resource }: { readonly resource: AnyResource }) => (
  <div className="flex min-w-0 items-start gap-3 border-b border-line py-2">
    <div className="min-w-0 flex-1">
      <p className="flex min-w-0 items-baseline gap-2 text-list">
        <span className="min-w-0 truncate font-[550] text-ink">
          <VisibleText text={resource.title ?? resource.name} />
        </span>
        {resource.template ? <Badge>Template</Badge> : null}
      </p>
      <p className="truncate font-code text-detail text-ink-3 select-text">
        <VisibleText text={resource.key} />
      </p>
      {resource.description ? (
        <LongText text={resource.description} code={false} lines={2} characters={200} className="text-list text-ink-2" />
      ) : null}
    </div>
    <span className="shrink-0 pt-0.5 text-detail text-ink-3">
      {[resource.mimeType, resource.size === undefined ? undefined : bytesText(resource.size)].filter(Boolean).join(' · ')}
    </span>
    <CopyButton text={resource.key} onCopy={copyText} name="Copy address" />
  </div>
);

export function PromptsTab({ prompts, scroller }: { readonly prompts: readonly CatalogPrompt[]; readonly scroller: HTMLElement | null }) {
  if (prompts.length === 0)
    return (
      <EmptyState icon={<MessageSquareText strokeWidth={1.5} />} title="No prompts">
        This server offers no prepared prompts.
      </EmptyState>
    );
  return (
    <VirtualList
      within={scroller}
      name="Prompts"
      items={prompts}
      keyOf={(prompt) => prompt.name}
      estimate={64}
      renderItem={(prompt) => <PromptRow prompt={prompt} />}
    />
  );
}

const PromptRow = ({ prompt }: { readonly prompt: CatalogPrompt }) => (
  <div className="border-b border-line py-2.5">
    <p className="flex min-w-0 items-baseline gap-2 text-list">
      <span className="truncate font-[550] text-ink">
        <VisibleText text={prompt.title ?? prompt.name} />
      </span>
      {prompt.title ? (
        <code className="truncate text-detail text-ink-3">
          <VisibleText text={prompt.name} />
        </code>
      ) : null}
    </p>
    {prompt.description ? (
      <LongText text={prompt.description} code={false} lines={3} characters={300} className="text-list text-ink-2" />
    ) : null}
    {prompt.arguments.length > 0 ? (
      <dl className="mt-1.5 flex flex-col gap-1 border-l border-line-strong pl-3">
        {prompt.arguments.map((argument) => (
          <div key={argument.name} className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-list">
            <dt className="font-code text-code font-semibold break-all text-ink">
              <VisibleText text={argument.name} />
            </dt>
            <dd className="min-w-0 text-ink-2">
              {argument.required ? <span className="text-detail font-[550] text-accent">required </span> : null}
              {argument.description ? <VisibleText text={argument.description} /> : null}
            </dd>
          </div>
        ))}
      </dl>
    ) : null}
  </div>
);

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
