import { useEffect, useMemo, useState } from 'react';
import type { ConfigScope } from '../../../shared/model/config-value.ts';
import type { ImportPlan } from '../../../shared/model/exchange.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useAsked, useRequest } from '../../bridge/request-state.ts';
import { askTrust } from '../../bridge/trust-ask.ts';
import { VaultChoice } from '../../bridge/vault-choice.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { countText } from '../../ui/time.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { EntryIssues } from './entry-issues.tsx';
import { PickRow } from './pick-row.tsx';
import { beginPick, offerKey, pickOf, planCounts, type Offered, type PickInput, type PickDraft, type WhenTaken } from './picks.ts';

export interface Exchange {
  readonly title: string;
  readonly preview: (scope: ConfigScope, picks: readonly PickInput[], signal: AbortSignal) => Promise<ImportPlan>;
  readonly apply: (scope: ConfigScope, picks: readonly PickInput[]) => Promise<{ readonly added: readonly string[] }>;
}
const pauseMs = 200;

/** Servers on their way in: under which names, what becomes of their secrets, and the file as it will be. Nothing is written before the last button. */
export function PickDialog({ offers, exchange, start, onClose, onDone }: {
  readonly offers: readonly Offered[];
  readonly exchange: Exchange;
  readonly start: ConfigScope;
  readonly onClose: () => void;
  readonly onDone: (added: readonly string[], scope: ConfigScope) => void;
}) {
  const project = useApp((state) => state.settings.project);
  const vault = useApp((state) => state.vault);
  const [scope, setScope] = useState<ConfigScope>(start === 'project' && project === undefined ? 'global' : start);
  const [items, setItems] = useState<readonly PickDraft[]>(() => offers.map(beginPick));
  const picks = useMemo(() => items.map(pickOf), [items]);
  const key = useRested(JSON.stringify([scope, picks]), pauseMs);
  const revision = useApp((state) => state.configRevision) ?? 0;
  const asked = useAsked(`${key} ${revision}`, (signal) => exchange.preview(scope, picks, signal));
  const { state, run } = useRequest();
  const plan = asked.phase === 'ready' ? asked.value : undefined;
  const counts = plan ? planCounts(plan) : { open: 0, written: 0 };
  const error = state.phase === 'failed' ? state.error : asked.phase === 'failed' ? asked.error : undefined;
  const aboutVault = vault?.phase === 'unavailable' && error?.code.startsWith('vault/') === true;
  const change = (next: PickDraft) => setItems((before) => before.map((one) => (offerKey(one.offered) === offerKey(next.offered) ? next : one)));
  const forAll = (whenTaken: WhenTaken) => setItems((before) => before.map((one) => (isTaken(plan, one) ? { ...one, whenTaken } : one)));
  const apply = () =>
    run(async () => {
      const { added } = await exchange.apply(scope, picks);
      onDone(added, scope);
    });
  const rested = key === JSON.stringify([scope, picks]);
  return (
    <Dialog
      open
      onClose={onClose}
      wide
      title={exchange.title}
      description="Nothing runs and nothing is contacted by this. Other programs’ files stay as they are."
      footer={
        <>
          <p role="status" className="mr-auto min-w-0 text-detail text-ink-2">
            {counts.open > 0 ? `${counts.open === 1 ? 'One name is' : `${counts.open} names are`} taken: choose what becomes of ${counts.open === 1 ? 'it' : 'them'}.` : ''}
          </p>
          <Button look="plain" onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={state.phase === 'sending'} disabled={!plan || !rested || counts.open > 0 || counts.written === 0} onClick={apply}>
            {counts.written === 0 ? 'Add' : `Add ${countText(counts.written, 'server')}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {project === undefined ? null : (
          <div className="flex items-center gap-3 text-list">
            <span className="text-ink-2">Into</span>
            <Segmented<ConfigScope> name="Into" value={scope} onChange={setScope} options={[{ value: 'global', label: 'Global' }, { value: 'project', label: 'This project' }]} />
          </div>
        )}
        {counts.open > 1 ? (
          <div className="flex flex-wrap items-center gap-2 text-list text-ink-2">
            For all that are taken:
            <Button size="s" onClick={() => forAll('skip')}>Skip</Button>
            <Button size="s" onClick={() => forAll('rename')}>Rename</Button>
            <Button size="s" onClick={() => forAll('replace')}>Replace</Button>
          </div>
        ) : null}
        {items.length > 12 ? (
          <VirtualList
            items={items} name="Servers to add" estimate={92} className="h-[34vh] rounded-card border border-line bg-card" keyOf={(item) => offerKey(item.offered)}
            renderItem={(item) => <PickRow item={item} plan={plan} scope={scope} onChange={change} />}
          />
        ) : (
          <ul aria-label="Servers to add" className="rounded-card border border-line bg-card [&>li:last-child>div]:border-b-0">
            {items.map((item) => <li key={offerKey(item.offered)}><PickRow item={item} plan={plan} scope={scope} onChange={change} /></li>)}
          </ul>
        )}
        {asked.phase === 'loading' ? <Skeleton rows={4} /> : null}
        {plan && plan.issues.length > 0 ? <div className="rounded-card border border-ask-line bg-ask-soft pt-2 [&_button]:-my-0.5"><EntryIssues issues={plan.issues} /></div> : null}
        {plan ? (
          <section className="flex flex-col gap-1.5">
            <h3 className="text-detail font-[550] text-ink-3">What will be written to <code className="break-all"><VisibleText text={plan.file} /></code></h3>
            <DiffView diff={plan.diff} name="What will be written" maxHeight="max-h-72" />
          </section>
        ) : null}
        {vault?.phase === 'unavailable' && aboutVault ? <VaultChoice status={vault} /> : null}
        {error?.code === 'trust/needed' ? (
          <div className="flex items-center gap-3 text-list text-ink-2"><span className="min-w-0 flex-1">This project’s files wait for your trust.</span><Button onClick={askTrust}>Look at them…</Button></div>
        ) : error && !aboutVault ? <FailureNote error={error} compact onRetry={state.phase === 'failed' ? apply : asked.again} /> : null}
      </div>
    </Dialog>
  );
}

const isTaken = (plan: ImportPlan | undefined, { offered }: PickDraft): boolean =>
  plan?.rows.some((row) => row.source === offered.source && row.name === offered.candidate.name && row.action !== 'add') === true;

/** A value once it has not changed for a moment. */
function useRested<T>(value: T, ms: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(() => value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
}

export const adoption: Exchange = {
  title: 'Add from other programs',
  preview: (scope, picks, signal) => api.exchange.previewAdopt({ scope, picks: [...picks] }, signal),
  apply: (scope, picks) => api.exchange.adopt({ scope, picks: [...picks] }),
};
export const importOf = (text: string): Exchange => ({
  title: 'Import servers',
  preview: (scope, picks, signal) => api.exchange.previewImport({ scope, text, picks: [...picks] }, signal),
  apply: (scope, picks) => api.exchange.import({ scope, text, picks: [...picks] }),
});
