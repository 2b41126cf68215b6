import clsx from 'clsx';
import { ChevronRight, Ellipsis } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ToolLine } from '../../../shared/model/catalog.ts';
import type { ToolPrefix } from '../../../shared/model/server-options.ts';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { signInNeed } from '../../../shared/state/sign-in-need.ts';
import { api, type RequestError } from '../../bridge/api.ts';
import { serverWords } from '../../bridge/connection-words.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { go, hrefOf } from '../../bridge/place.ts';
import { prefixExamples } from '../../bridge/prefix-words.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { serverKeyNames, serverKeys } from '../../bridge/server-keys.ts';
import { SignInButton } from '../../bridge/sign-in-button.tsx';
import type { ToolRules } from '../../bridge/use-tool-rules.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { agoText, countText } from '../../ui/time.ts';
import { useNow } from '../../ui/use-now.ts';
import { VisibleText } from '../../ui/visible-text.tsx';

interface Props {
  readonly row: ServerRow;
  /** Of this server, as the page shows them. */
  readonly shown: readonly ToolLine[];
  /** Of this server, all. */
  readonly all: readonly ToolLine[];
  readonly folded: boolean;
  readonly onFold: () => void;
  readonly rules: ToolRules;
  readonly pinsFixed: boolean;
  readonly usualPrefix: ToolPrefix;
  /** Tokens of all its usable tools' definitions; an estimate. */
  readonly cost: number | undefined;
  readonly onSelect: () => void;
  readonly selected: boolean;
}

/** A server above its tools: how it is, how much of it counts, and what can be done to all of it. */
export function ServerHead(props: Props) {
  const { row, shown, all, folded, onFold, cost } = props;
  const { state, run } = useRequest();
  const { definition, connection } = row;
  const known = row.counts !== undefined;
  const [error, setError] = useState<RequestError>();
  const failed = error ?? (state.phase === 'failed' ? state.error : undefined);
  return (
    <div className={folded || shown.length === 0 ? 'pt-1' : 'pt-3'} onKeyDown={serverKeys(row, setError)}>
      <div className="flex min-w-0 items-center gap-2 border-b border-line pr-1.5 pb-1.5">
        <h3 className="min-w-0 shrink">
          <button
            type="button"
            data-server-head
            aria-keyshortcuts={serverKeyNames}
            aria-expanded={shown.length === 0 ? undefined : !folded}
            aria-disabled={shown.length === 0 || undefined}
            onClick={shown.length === 0 ? undefined : onFold}
            className="flex min-w-0 max-w-full items-center gap-2 rounded-control py-1 pr-2 pl-2.5 text-list font-semibold text-ink hover:bg-hover aria-disabled:hover:bg-transparent"
          >
            <ChevronRight size={14} strokeWidth={1.75} className={clsx('shrink-0 text-ink-3 transition-transform', !folded && 'rotate-90', shown.length === 0 && 'invisible')} aria-hidden />
            <span className="min-w-0 truncate">
              <VisibleText text={definition.name} />
            </span>
          </button>
        </h3>
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 text-detail text-ink-3">
          <Standing row={row} counts={row.counts ? countsText(all, row.counts.resources, cost) : undefined} />
        </span>
        <SignInButton row={row} onError={setError} />
        {known || signInNeed(row) ? null : <FirstLook row={row} busy={state.phase === 'sending'} onLook={() => run(() => api.servers.start({ serverId: definition.id }))} />}
        {known ? <HeadMenu {...props} onConnect={() => run(() => api.servers.start({ serverId: definition.id }))} /> : null}
      </div>
      {failed ? <FailureNote error={failed} compact context={{ server: definition.name }} /> : null}
      {known && all.length === 0 ? <p className="py-2 pl-8.5 text-list text-ink-3">{connection.phase === 'starting' ? 'It is starting.' : 'It offers nothing that could be called.'}</p> : null}
    </div>
  );
}

/** How it is and how much it offers; what is shown of a server that is not connected is what it said when it was. */
function Standing({ row, counts }: { readonly row: ServerRow; readonly counts: string | undefined }) {
  const now = useNow();
  const { dot, word } = serverWords(row);
  const seen = row.catalog?.from === 'cache' ? `cached ${agoText(row.catalog.seenAt, now)}` : undefined;
  return (
    <>
      <StateDot state={dot} word={word} className="whitespace-nowrap text-ink-2" />
      {counts === undefined ? null : <span>{[counts, seen].filter((part) => part !== undefined).join(' · ')}</span>}
    </>
  );
}

function FirstLook({ row: { connection, definition }, busy, onLook }: { readonly row: ServerRow; readonly busy: boolean; readonly onLook: () => void }): ReactNode {
  const asleep = connection.phase === 'stopped';
  if (connection.phase === 'starting' || connection.phase === 'ready') return <span className="text-detail text-ink-3">its tools come in a moment</span>;
  if (asleep)
    return (
      <>
        <span className="text-detail text-ink-3 compact:hidden">not seen yet</span>
        <Button size="s" busy={busy} onClick={onLook}>
          Look now
        </Button>
      </>
    );
  return (
    <a href={hrefOf({ page: 'servers', serverId: definition.id })} className="rounded-control text-detail text-accent underline-offset-2 hover:underline">
      See why
    </a>
  );
}

function HeadMenu({ row, shown, all, rules, pinsFixed, usualPrefix, onSelect, selected, onConnect }: Props & { readonly onConnect: () => void }) {
  const { definition, connection } = row;
  const usable = all.filter(({ hidden, problem }) => hidden === undefined && problem === undefined);
  const plain = definition.name.toLowerCase().replace(/[^a-z0-9_]/g, '_').slice(0, 20);
  const own = definition.options.toolPrefix;
  // Without `mcp` at its end a server has no shorter form.
  const prefixes = prefixExamples.filter(({ value }) => value !== 'short' || own === 'short' || /_?mcp$/.test(plain));
  const entries: readonly MenuEntry[] = [
    { label: selected ? 'Choose none' : `Choose ${shown.length === all.length ? 'all' : 'those shown'}`, hint: shown.length.toLocaleString('en-US'), onSelect, disabled: shown.length === 0 },
    'line',
    { label: 'Pin all, later ones too', onSelect: () => rules.patch(definition.id, { directTools: true }), disabled: pinsFixed || usable.length === 0 },
    { label: 'Unpin all', onSelect: () => rules.patch(definition.id, { directTools: false }), disabled: pinsFixed || !all.some(({ pinned }) => pinned) },
    'line',
    { heading: 'Names that models see' },
    ...prefixes.map(({ value, example }): MenuEntry => ({
      label: <code className="text-code">{example(plain)}</code>,
      ...(value === usualPrefix ? { hint: 'usual' } : {}),
      checked: (own ?? usualPrefix) === value,
      onSelect: () => rules.patch(definition.id, { toolPrefix: value === usualPrefix ? null : value }),
    })),
    'line',
    ...(connection.phase === 'stopped' || connection.phase === 'failed' ? [{ label: 'Connect now', onSelect: onConnect }] : []),
    { label: 'Open the server', onSelect: () => go({ page: 'servers', serverId: definition.id }) },
  ];
  return <Menu entries={entries} trigger={<IconButton size="s" name={`More for ${definition.name}`} icon={<Ellipsis size={16} strokeWidth={1.75} aria-hidden />} />} />;
}

/** "26 tools · 3 pinned · 2 hidden · 4 resources · about 4,100 tokens". */
function countsText(all: readonly ToolLine[], resources: number, cost: number | undefined): string {
  const shown = all.filter(({ hidden }) => hidden === undefined).length;
  const pinned = all.filter((line) => line.pinned && line.hidden === undefined).length;
  const parts = [countText(shown, 'tool'), ...(pinned > 0 ? [`${pinned.toLocaleString('en-US')} pinned`] : []), ...(all.length > shown ? [`${(all.length - shown).toLocaleString('en-US')} hidden`] : []), ...(resources > 0 ? [countText(resources, 'resource')] : []), ...(cost === undefined || cost === 0 ? [] : [`about ${countText(rounded(cost), 'token')}`])];
  return parts.join(' · ');
}

/** An estimate says no more than it knows: two digits. */
const rounded = (tokens: number): number => Number(tokens.toPrecision(2));
