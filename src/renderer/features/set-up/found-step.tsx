import { useMemo, useState } from 'react';
import type { DiscoveredSource, importKinds, Pick } from '../../../shared/model/exchange.ts';
import type { AppState } from '../../../shared/state/app-state.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useAsked } from '../../bridge/request-state.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { countText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { sharedInUse } from './first-start.ts';
import { PickRow } from './pick-row.tsx';
import { ReviewDialog, type Review } from './review-dialog.tsx';
import { ChoiceFoot, type StepProps } from './step-foot.tsx';

const noServers: AppState['servers'] = {};
const keyOf = (source: string, name: string): string => JSON.stringify([source, name]);
const pickOf = (key: string): Pick => {
  const [source, name] = JSON.parse(key) as [string, string]; // made by keyOf
  return { source, name, onDuplicate: 'rename', secrets: {} };
};

/** What other programs have on this computer. Their files were read, and nothing else was done. */
export function FoundStep({ onNext, onSkip }: StepProps) {
  const revision = useApp((state) => state.configRevision) ?? 0;
  const asked = useAsked(`found ${revision}`, (signal) => api.exchange.discover({}, signal));
  const servers = useApp((state) => state.servers) ?? noServers;
  const shared = useMemo(() => sharedInUse(servers), [servers]);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [reviewing, setReviewing] = useState(false);
  const [following, setFollowing] = useState<DiscoveredSource>();
  const [note, setNote] = useState<string>();
  const followed = useMemo(() => importsInUse(servers), [servers]);
  const pick = (keys: readonly string[], on: boolean) =>
    setPicked((before) => new Set(on ? [...before, ...keys] : [...before].filter((key) => !keys.includes(key))));
  const sources = asked.phase === 'ready' ? asked.value.sources.filter(({ candidates }) => candidates.length > 0) : [];
  const picks = [...picked].map(pickOf);
  const look = async (signal: AbortSignal): Promise<Review> => {
    const plan = await api.exchange.previewAdopt({ scope: 'global', picks }, signal);
    const secrets = plan.rows.flatMap(({ secretsToCreate }) => secretsToCreate);
    const renamed = plan.rows.filter(({ name, as, action }) => action === 'rename' && name !== as);
    return { ...plan, needsVault: secrets.length > 0, notes: <PlanNotes secrets={secrets} renamed={renamed} /> };
  };
  const add = async () => {
    const { added: names } = await api.exchange.adopt({ scope: 'global', picks });
    setNote(`${countText(names.length, 'server')} added.`);
    setPicked(new Set());
    setReviewing(false);
  };
  const follow = (source: DiscoveredSource) => async () => {
    await api.exchange.setImport({ client: source.client, on: true });
    setNote(`${source.label} is followed.`);
    setFollowing(undefined);
  };
  return (
    <>
      <div className="flex flex-col gap-4">
        {shared.length > 0 ? (
          <section aria-label="In use already" className="rounded-card border border-line bg-card px-4 py-3 text-list">
            <p className="font-[550] text-ink">In use already</p>
            <p className="mt-0.5 text-ink-2">
              <span className="font-code text-code">{shared.join(', ')}</span> {shared.length === 1 ? 'belongs' : 'belong'} to no program
              alone, so {shared.length === 1 ? 'its' : 'their'} servers are here too. Gatehouse never changes{' '}
              {shared.length === 1 ? 'it' : 'them'}.
            </p>
          </section>
        ) : null}
        {asked.phase === 'loading' ? <Skeleton rows={5} /> : null}
        {asked.phase === 'failed' ? <FailureNote error={asked.error} onRetry={asked.again} /> : null}
        {asked.phase === 'ready' && sources.length === 0 ? (
          <p role="status" className="rounded-card border border-dashed border-line-strong px-4 py-6 text-center text-list text-ink-2">
            No other program on this computer has MCP servers in a file that Gatehouse knows.
          </p>
        ) : null}
        {sources.map((source) => {
          const open = source.candidates.filter(({ alreadyConfigured }) => !alreadyConfigured).map(({ name }) => keyOf(source.id, name));
          const all = open.length > 0 && open.every((key) => picked.has(key));
          return (
            <section key={source.id} aria-label={source.label} className="overflow-hidden rounded-card border border-line bg-card">
              <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-line bg-pane px-4 py-2">
                <h3 className="text-list font-semibold text-ink">
                  <VisibleText text={source.label} />
                </h3>
                <span className="min-w-0 flex-1 font-code text-detail break-all text-ink-3">
                  <VisibleText text={source.path} />
                </span>
                {followed.has(source.client) ? (
                  <Badge tone="accent">Followed</Badge>
                ) : canFollow(source) ? (
                  <Button
                    size="s"
                    look="plain"
                    className="-my-1"
                    aria-label={`Follow the file of ${source.label}`}
                    onClick={() => setFollowing(source)}
                  >
                    Follow…
                  </Button>
                ) : null}
                {open.length > 1 ? (
                  <Button size="s" look="plain" className="-my-1 -mr-2" onClick={() => pick(open, !all)}>
                    {all ? 'Choose none' : `Choose all ${open.length}`}
                  </Button>
                ) : null}
              </div>
              <ul className="max-h-96 divide-y divide-line overflow-y-auto">
                {source.candidates.map((candidate) => (
                  <PickRow
                    key={candidate.name}
                    name={candidate.name}
                    target={candidate.target}
                    there={candidate.alreadyConfigured}
                    picked={picked.has(keyOf(source.id, candidate.name))}
                    onPick={(on) => pick([keyOf(source.id, candidate.name)], on)}
                  >
                    {candidate.hasPlaintextSecrets ? <Badge tone="ask">Has secrets in the open</Badge> : null}
                  </PickRow>
                ))}
              </ul>
            </section>
          );
        })}
        {asked.phase === 'ready' && asked.value.issues.length > 0 ? (
          <p className="text-detail text-ink-3">
            {countText(asked.value.issues.length, 'entry', 'entries')} could not be read. Settings say which, and where.
          </p>
        ) : null}
      </div>
      <ChoiceFoot chosen={picked.size} note={note} onReview={() => setReviewing(true)} onNext={onNext} onSkip={onSkip} />
      {reviewing ? (
        <ReviewDialog
          title={`Add ${countText(picks.length, 'server')} to Gatehouse?`}
          label={`Add ${countText(picks.length, 'server')}`}
          look={look}
          onAdd={add}
          onClose={() => setReviewing(false)}
        />
      ) : null}
      {following ? (
        <ReviewDialog
          title={`Follow the file of ${following.label}?`}
          label="Follow it"
          onAdd={follow(following)}
          onClose={() => setFollowing(undefined)}
          look={async (signal) => ({
            ...(await api.exchange.previewSetImport({ client: following.client, on: true }, signal)),
            notes: <FollowNote label={following.label} />,
          })}
        />
      ) : null}
    </>
  );
}

const FollowNote = ({ label }: { readonly label: string }) => (
  <p className="text-list text-ink-2">
    The servers in the file of {label} then count here as they stand there, now and when it changes. Gatehouse never changes that file.
    They start when they are used.
  </p>
);

/** Programs whose files count as they are (F-8). A table, so that none can be missing; the list itself would bring all schemas into the window. */
const followable: { readonly [K in (typeof importKinds)[number]]: true } = {
  cursor: true,
  'claude-code': true,
  'claude-desktop': true,
  opencode: true,
  vscode: true,
  windsurf: true,
  codex: true,
};
/** A file of a project counts with its project only. */
const canFollow = ({ client, scope }: DiscoveredSource): boolean => scope === 'global' && Object.hasOwn(followable, client);
const importsInUse = (servers: AppState['servers']): ReadonlySet<string> => {
  const ids = new Set(Object.values(servers).flatMap(({ provenance }) => provenance.chain.map(({ source }) => source)));
  return new Set(Object.keys(followable).filter((kind) => [...ids].some((id) => id === `import:${kind}` || id.startsWith(`import:${kind}-`))));
};

const PlanNotes = ({
  secrets,
  renamed,
}: {
  readonly secrets: readonly string[];
  readonly renamed: readonly { readonly name: string; readonly as: string }[];
}) => (
  <>
    {secrets.length > 0 ? (
      <p className="text-list text-ink-2">
        {countText(secrets.length, 'value')} that {secrets.length === 1 ? 'stands' : 'stand'} in the open over there{' '}
        {secrets.length === 1 ? 'is' : 'are'} kept in the vault here:{' '}
        <span className="font-code text-code break-all text-ink">{secrets.join(', ')}</span>. You are asked before a server reads{' '}
        {secrets.length === 1 ? 'it' : 'one'} for the first time.
      </p>
    ) : null}
    {renamed.length > 0 ? (
      <p className="text-list text-ink-2">Taken names: {renamed.map(({ name, as }) => `${name} becomes ${as}`).join(', ')}.</p>
    ) : null}
  </>
);
