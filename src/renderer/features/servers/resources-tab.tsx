import { FileText } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ServerId } from '../../../shared/ids.ts';
import type { CatalogResource, ServerCatalog } from '../../../shared/model/catalog.ts';
import { copyText } from '../../bridge/tool-detail.tsx';
import { TemplateForm } from '../../bridge/template-form.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/code-block.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { bytesText } from '../../ui/time.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { fitsWords, searchFrom } from './fits-words.ts';
import { ResourceReader } from './resource-reader.tsx';

type AnyResource = { readonly key: string; readonly template: boolean } & Omit<CatalogResource, 'uri'>;

/** What a server offers to read: each can be read here, saved, followed and attached to a chat. */
export function ResourcesTab({ catalog, scroller }: { readonly catalog: ServerCatalog; readonly scroller: HTMLElement | null }) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const all = useMemo(
    (): readonly AnyResource[] => [
      ...catalog.resources.map(({ uri, ...rest }) => ({ ...rest, key: uri, template: false })),
      ...catalog.resourceTemplates.map(({ uriTemplate, ...rest }) => ({ ...rest, key: uriTemplate, template: true })),
    ],
    [catalog],
  );
  const shown = useMemo(() => all.filter((one) => fitsWords(text, one.name, one.title, one.key, one.description)), [all, text]);
  const toggle = (key: string) => setOpen((before) => (before.has(key) ? new Set([...before].filter((one) => one !== key)) : new Set(before).add(key)));
  if (all.length === 0) {
    return <EmptyState icon={<FileText strokeWidth={1.5} />} title="No resources">This server offers no files, records or other things to read.</EmptyState>;
  }
  return (
    <div className="flex flex-col gap-3">
      {all.length < searchFrom ? null : <SearchField name="Find a resource" value={text} onChange={setText} className="w-72 max-w-full" />}
      {shown.length === 0 ? <p className="py-4 text-list text-ink-3">No resource has these words.</p> : null}
      <VirtualList
        within={scroller} name="Resources" items={shown} keyOf={keyOf} estimate={58}
        renderItem={(one) => <ResourceRow resource={one} serverId={catalog.serverId} serverName={catalog.serverName} open={open.has(keyOf(one))} onToggle={() => toggle(keyOf(one))} />}
      />
    </div>
  );
}

const keyOf = (one: AnyResource): string => `${one.template} ${one.key}`;

function ResourceRow({ resource, serverId, serverName, open, onToggle }: {
  readonly resource: AnyResource;
  readonly serverId: ServerId;
  readonly serverName: string;
  readonly open: boolean;
  readonly onToggle: () => void;
}) {
  const name = resource.title ?? resource.name;
  return (
    <div className="border-b border-line py-2">
      <div className="flex min-w-0 items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="flex min-w-0 items-baseline gap-2 text-list">
            <span className="min-w-0 truncate font-[550] text-ink"><VisibleText text={name} /></span>
            {resource.template ? <Badge>Template</Badge> : null}
          </p>
          <p className="truncate font-code text-detail text-ink-3 select-text"><VisibleText text={resource.key} /></p>
          {resource.description ? <LongText text={resource.description} code={false} lines={2} characters={200} className="text-list text-ink-2" /> : null}
        </div>
        <span className="shrink-0 pt-0.5 text-detail text-ink-3">{[resource.mimeType, resource.size === undefined ? undefined : bytesText(resource.size)].filter(Boolean).join(' · ')}</span>
        <CopyButton text={resource.key} onCopy={copyText} name="Copy address" />
        <Button size="s" aria-expanded={open} aria-label={open ? `Close ${name}` : `Read ${name}`} onClick={onToggle}>{open ? 'Close' : 'Read'}</Button>
      </div>
      {open ? <div className="mt-2.5 mb-1 rounded-card border border-line bg-sunken p-3">{resource.template ? <Filled template={resource.key} serverId={serverId} serverName={serverName} /> : <ResourceReader serverId={serverId} serverName={serverName} uri={resource.key} />}</div> : null}
    </div>
  );
}

/** A template asks first, and reads the address that comes of it. */
function Filled({ template, serverId, serverName }: { readonly template: string; readonly serverId: ServerId; readonly serverName: string }) {
  const [uri, setUri] = useState<string>();
  return (
    <div className="flex flex-col gap-3">
      <TemplateForm serverId={serverId} template={template} submit="Read" busy={false} onUri={setUri} />
      {uri === undefined ? null : <ResourceReader key={uri} serverId={serverId} serverName={serverName} uri={uri} />}
    </div>
  );
}
