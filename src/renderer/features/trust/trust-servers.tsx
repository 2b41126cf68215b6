import clsx from 'clsx';
import type { TrustRuns, TrustServer } from '../../../shared/model/project-trust.ts';
import { Badge } from '../../ui/badge.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { factRows, inOrder, type FactRow } from './trust-words.ts';

/** More than these, and only what is in sight is drawn. */
const manyServers = 40;
const keyOf = ({ file, name }: TrustServer): string => `${file}\n${name}`;

/** Every server of the project's files with all that it would do, whole. */
export function TrustServers({ servers, again }: { readonly servers: readonly TrustServer[]; readonly again: boolean }) {
  const sorted = inOrder(servers);
  if (sorted.length > manyServers) {
    return (
      <VirtualList
        items={sorted}
        name="Servers of the project"
        estimate={120}
        gap={12}
        className="h-[calc(100vh-400px)] min-h-48"
        keyOf={keyOf}
        renderItem={(server) => <TrustServerCard server={server} again={again} />}
      />
    );
  }
  return (
    <ul aria-label="Servers of the project" className="flex flex-col gap-3">
      {sorted.map((server) => (
        <li key={keyOf(server)}>
          <TrustServerCard server={server} again={again} />
        </li>
      ))}
    </ul>
  );
}

/** What runs of every chat would be set to: nobody chooses it, so it is said first. */
export function TrustRunsCards({ runs, again }: { readonly runs: readonly TrustRuns[]; readonly again: boolean }) {
  return runs.map((one) => <TrustServerCard key={one.file} server={{ name: 'Every run in this project', ...one }} again={again} />);
}

const tones = { new: 'accent', changed: 'ask', removed: 'bad', same: 'plain' } as const;
const words = { new: 'New', changed: 'Changed', removed: 'Removed', same: 'As before' } as const;

const TrustServerCard = ({ server, again }: { readonly server: TrustServer; readonly again: boolean }) => (
  <section aria-label={server.name} className={clsx('rounded-card border border-line', server.change === 'same' ? 'bg-pane' : 'bg-card')}>
    <div className="flex flex-wrap items-baseline gap-x-2 gap-y-1 px-3.5 pt-2.5">
      <h3 className={clsx('min-w-0 text-list font-semibold break-words text-ink', server.change === 'removed' && 'line-through')}>
        <VisibleText text={server.name} />
      </h3>
      {again ? <Badge tone={tones[server.change]}>{words[server.change]}</Badge> : null}
      <span className="ml-auto min-w-0 font-code text-detail break-all text-ink-3">
        <VisibleText text={server.file} />
      </span>
    </div>
    <dl className="grid grid-cols-[116px_minmax(0,1fr)] gap-x-3 gap-y-1.5 px-3.5 pt-1.5 pb-3 text-list">
      {factRows(server).map((row) => (
        <Fact key={row.kind} row={row} />
      ))}
      {server.facts.length === 0 && server.before === undefined ? (
        <dd className="col-span-2 text-ink-3">Nothing that would run or be contacted.</dd>
      ) : null}
    </dl>
  </section>
);

/** Names stand side by side, everything else on lines of its own. */
const inline = new Set<FactRow['kind']>(['environment', 'headers', 'secret']);

const Fact = ({ row }: { readonly row: FactRow }) => (
  <div className="col-span-2 grid grid-cols-subgrid">
    <dt className="text-ink-3">{row.name}</dt>
    <dd className={clsx('flex min-w-0 gap-y-1', inline.has(row.kind) ? 'flex-wrap gap-x-4' : 'flex-col')}>
      {row.texts.map(({ text, state }) => (
        <FactText key={`${state} ${text}`} kind={row.kind} text={text} state={state} />
      ))}
    </dd>
  </div>
);

const looks = {
  same: 'text-ink',
  added: 'bg-ok-soft text-ink no-underline ring-1 ring-line',
  gone: 'bg-bad-soft text-bad line-through decoration-bad-line ring-1 ring-line',
} as const;
const spoken = { same: '', added: 'now: ', gone: 'before: ' } as const;
const switchWords: Readonly<Record<string, string>> = {
  on: 'switched on',
  off: 'switched off',
  'options only': 'changed in its options only',
};

function FactText({
  kind,
  text,
  state,
}: {
  readonly kind: FactRow['kind'];
  readonly text: string;
  readonly state: FactRow['texts'][number]['state'];
}) {
  const Mark = state === 'gone' ? 'del' : state === 'added' ? 'ins' : 'span';
  return (
    <Mark className={clsx('min-w-0 rounded-[4px]', state !== 'same' && 'px-1', looks[state])}>
      {state === 'same' ? null : <span className="sr-only">{spoken[state]}</span>}
      {kind === 'switch' ? (switchWords[text] ?? text) : <LongText text={text} lines={200} characters={10_000} />}
      {kind === 'secret-command' && state !== 'gone' ? (
        <span className="text-detail text-ink-3">Commands for values never run from a project’s file.</span>
      ) : null}
    </Mark>
  );
}
