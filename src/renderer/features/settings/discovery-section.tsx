import { Radar, RefreshCw } from 'lucide-react';
import { useMemo, useState, type DragEvent } from 'react';
import type { ConfigScope } from '../../../shared/model/config-value.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { go } from '../../bridge/place.ts';
import { useAsked, useRequest } from '../../bridge/request-state.ts';
import { useSources } from '../../bridge/sources.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { countText } from '../../ui/time.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { CandidateRow, SourceHead } from './candidate-row.tsx';
import { discoveryRows, offersOf } from './discovery-rows.ts';
import { EntryIssues } from './entry-issues.tsx';
import { ExportPane } from './export-pane.tsx';
import { ImportPane, useImportText } from './import-pane.tsx';
import { SettingGroup, SettingRow, SettingRows } from './setting-group.tsx';
import { adoption, PickDialog, type Exchange } from './pick-dialog.tsx';
import { offerKey, type Offered } from './picks.ts';

interface Reviewed {
  readonly offers: readonly Offered[];
  readonly exchange: Exchange;
  readonly start: ConfigScope;
}

/** Servers that other programs on this computer use, those that come as text, and the way out to other programs (U-56…U-58). */
export function DiscoverySection({ scroller }: { readonly scroller: HTMLElement | null }) {
  const [reviewed, setReviewed] = useState<Reviewed>();
  const [done, setDone] = useState<{ readonly added: readonly string[]; readonly scope: ConfigScope }>();
  const held = useImportText();
  const [over, setOver] = useState(false);
  const review = (next: Reviewed) => {
    setDone(undefined);
    setReviewed(next);
  };
  const drag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) held.read(file);
  };
  return (
    <div
      className="relative flex min-h-full flex-1 flex-col gap-7"
      onDragOver={drag}
      onDragLeave={(event) => (event.currentTarget.contains(event.relatedTarget instanceof Node ? event.relatedTarget : null) ? undefined : setOver(false))}
      onDrop={drop}
    >
      {over ? (
        <div className="pointer-events-none absolute -inset-2 z-20 flex items-start justify-center rounded-card border-2 border-dashed border-accent bg-accent-soft/85 pt-24 text-body font-semibold text-accent">
          Drop the file to see what is in it
        </div>
      ) : null}
      {done ? (
        <div role="status" className="flex items-center gap-3 rounded-card border border-accent-line bg-accent-soft px-4 py-2.5 text-list text-ink">
          <span className="min-w-0 flex-1">{done.added.length === 0 ? 'Nothing was added.' : `${countText(done.added.length, 'server')} added to ${done.scope === 'global' ? 'the global servers' : 'this project'}.`}</span>
          <Button size="s" onClick={() => go({ page: 'settings', section: done.scope === 'global' ? 'global' : 'project-servers' })}>Show</Button>
        </div>
      ) : null}
      <ImportPane held={held} onReview={(offers, exchange) => review({ offers, exchange, start: 'global' })} />
      <Found scroller={scroller} onReview={(offers, start) => review({ offers, exchange: adoption, start })} />
      <ExportPane />
      {reviewed ? (
        <PickDialog
          {...reviewed}
          onClose={() => setReviewed(undefined)}
          onDone={(added, scope) => {
            setReviewed(undefined);
            setDone({ added, scope });
            scroller?.scrollTo(0, 0);
          }}
        />
      ) : null}
    </div>
  );
}

function Found({ scroller, onReview }: { readonly scroller: HTMLElement | null; readonly onReview: (offers: readonly Offered[], start: ConfigScope) => void }) {
  const revision = useApp((state) => state.configRevision) ?? 0;
  const project = useApp((state) => state.settings.project);
  const asked = useAsked(`discover ${project} ${revision}`, (signal) => api.exchange.discover({}, signal));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [text, setText] = useState('');
  const discovery = asked.phase === 'ready' ? asked.value : undefined;
  const rows = useMemo(() => discoveryRows(discovery?.sources ?? [], text), [discovery, text]);
  const offers = useMemo(() => (discovery?.sources ?? []).flatMap(offersOf), [discovery]);
  const picked = offers.filter((offer) => chosen.has(offerKey(offer)));
  const toggle = (keys: readonly string[], on: boolean) =>
    setChosen((before) => new Set(on ? [...before, ...keys] : [...before].filter((key) => !keys.includes(key))));
  const start = (some: readonly Offered[]): ConfigScope =>
    discovery?.sources.some(({ id, scope }) => scope === 'project' && some.some(({ source }) => source === id)) ? 'project' : 'global';
  return (
    <SettingGroup
      title="On this computer"
      means="Servers that other programs use. They are only read from their files: nothing of them runs before you add it."
      actions={<Button icon={<RefreshCw size={14} strokeWidth={1.75} aria-hidden />} onClick={asked.again}>Look again</Button>}
    >
      <LiveLayer />
      {asked.phase === 'loading' ? <Skeleton rows={6} /> : null}
      {asked.phase === 'failed' ? <FailureNote error={asked.error} onRetry={asked.again} /> : null}
      {discovery && discovery.issues.length > 0 ? <div className="rounded-card border border-ask-line bg-ask-soft pt-2 [&_button]:-my-0.5"><EntryIssues issues={discovery.issues} /></div> : null}
      {discovery && offers.length === 0 ? (
        <EmptyState icon={<Radar strokeWidth={1.5} />} title="No other program’s servers">
          Claude, Cursor, VS Code, Windsurf, Codex, OpenCode, Zed, Gemini CLI, Cline and goose were looked for.
        </EmptyState>
      ) : null}
      {offers.length < 8 ? null : <SearchField name="Find a server of other programs" placeholder="Find by name, program, command or address" value={text} onChange={setText} />}
      {offers.length > 0 && rows.length === 0 ? <p className="px-3 py-4 text-center text-list text-ink-3">None has these words.</p> : null}
      <VirtualList
        within={scroller}
        name="Servers of other programs"
        items={rows}
        keyOf={(row) => row.key}
        estimate={52}
        renderItem={(row) =>
          row.kind === 'source' ? (
            <SourceHead source={row.source} chosen={chosen} onChoose={toggle} onAdd={(some) => onReview(some, start(some))} />
          ) : (
            <CandidateRow offered={row.offered} last={row.last} chosen={chosen.has(offerKey(row.offered))} onChoose={(on) => toggle([offerKey(row.offered)], on)} onAdd={() => onReview([row.offered], start([row.offered]))} />
          )
        }
      />
      {picked.length > 0 ? (
        <div role="group" aria-label="Chosen servers" className="sticky bottom-0 z-10 flex min-h-14 items-center gap-2 border-t border-line bg-pane py-3">
          <p role="status" className="min-w-0 flex-1 text-list text-ink-2"><strong className="font-[550] text-ink">{picked.length}</strong> chosen</p>
          <Button look="plain" onClick={() => setChosen(new Set())}>Choose none</Button>
          <Button look="primary" onClick={() => onReview(picked, start(picked))}>Add {countText(picked.length, 'server')}…</Button>
        </div>
      ) : null}
    </SettingGroup>
  );
}

/** Other programs' files as the lowest layer, as they stand (F-11): changed there, changed here. */
function LiveLayer() {
  const sources = useSources();
  const { state, run } = useRequest();
  if (sources.phase !== 'ready') return null;
  const on = sources.value.some(({ kind }) => kind === 'host');
  return (
    <>
      <SettingRows>
        <SettingRow
          name="Use them all as they are" htmlFor="live-layer" meansId="live-layer-means"
          means="Without adding: every server of these programs counts, below your own, and follows their files. Saved at once."
        >
          <Switch id="live-layer" aria-describedby="live-layer-means" checked={on} disabled={state.phase === 'sending'} onChange={(next) => run(() => api.exchange.setDiscovery({ on: next }))} />
        </SettingRow>
      </SettingRows>
      {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
    </>
  );
}
