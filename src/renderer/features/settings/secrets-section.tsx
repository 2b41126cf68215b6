import { KeyRound, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { SecretEntry } from '../../../shared/model/secret-entry.ts';
import type { VaultStatus } from '../../../shared/model/settings.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useAsked, useRequest } from '../../bridge/request-state.ts';
import { VaultChoice } from '../../bridge/vault-choice.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { DeleteSecretDialog, policies, RenameSecretDialog, SecretDialog } from './secret-dialogs.tsx';
import { SecretRow, type SecretAsk } from './secret-row.tsx';
import { secretsSummary } from './secret-words.ts';
import { SecretsInTheOpen } from './secrets-in-the-open.tsx';
import { SettingGroup, SettingRow, SettingRows } from './setting-group.tsx';
import { VaultReset } from './vault-reset.tsx';

/** More than these, and there is a search; more than `manyRows`, and only what is in sight is drawn. */
const searchAbove = 8;
const manyRows = 40;
type Asking = { readonly what: 'new' } | { readonly what: SecretAsk; readonly entry: SecretEntry };
const noEntries: readonly SecretEntry[] = [];
const unopened: VaultStatus = { phase: 'unopened' };
const keyOf = ({ scope, key }: SecretEntry): string => `${scope} ${key}`;

/** What servers need and nobody should see: names, uses and permissions. No value is ever here. */
export function SecretsSection({ scroller }: { readonly scroller: HTMLElement | null }) {
  const vault = useApp((state) => state.vault) ?? unopened;
  return (
    <>
      <SettingGroup
        title="Secrets"
        means="Values that servers need and nobody else should see. They are kept in the vault and never shown again; files hold only their names."
      >
        <DefaultPolicy />
        {vault.phase === 'memory-only' ? (
          <ErrorNote tone="ask" compact what="Secrets are kept in memory only." means="They are forgotten when you quit Gatehouse." />
        ) : null}
        {vault.phase === 'unavailable' ? (
          <>
            <VaultChoice status={vault} />
            <VaultReset status={vault} />
          </>
        ) : (
          <SecretList scroller={scroller} />
        )}
      </SettingGroup>
      <SecretsInTheOpen />
    </>
  );
}

function DefaultPolicy() {
  const policy = useApp((state) => state.settings.secretPolicy) ?? 'prompt';
  const { state, run } = useRequest();
  return (
    <>
      <SettingRows>
        <SettingRow name="When a server wants to read one" means="Holds for every secret that says nothing else.">
          <Select
            name="When a server wants to read a secret"
            value={policy}
            options={policies}
            className="w-48"
            onChange={(secretPolicy) => run(() => api.settings.update({ secretPolicy }))}
          />
        </SettingRow>
      </SettingRows>
      {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
    </>
  );
}

function SecretList({ scroller }: { readonly scroller: HTMLElement | null }) {
  const revision = useApp((state) => state.configRevision) ?? 0;
  const phase = useApp((state) => state.vault.phase) ?? 'unopened';
  const fallback = useApp((state) => state.settings.secretPolicy) ?? 'prompt';
  const asked = useAsked(`${revision} ${phase === 'memory-only'}`, () => api.secrets.list());
  const [text, setText] = useState('');
  const [asking, setAsking] = useState<Asking>();
  const entries = asked.phase === 'ready' ? asked.value : noEntries;
  const wanted = text.trim().toLowerCase();
  const shown = useMemo(() => (wanted === '' ? entries : entries.filter((entry) => fits(entry, wanted))), [entries, wanted]);
  const close = () => setAsking(undefined);
  const row = (entry: SecretEntry) => <SecretRow entry={entry} fallback={fallback} onAsk={(what) => setAsking({ what, entry })} />;
  const frame = 'rounded-card border border-line bg-card';
  return (
    <>
      {entries.length > 0 ? (
        <div className="flex min-h-8 items-center gap-3">
          <p role="status" className="min-w-0 flex-1 text-list text-ink-2">
            {secretsSummary(entries)}
          </p>
          {entries.length > searchAbove ? (
            <SearchField name="Find a secret" value={text} onChange={setText} className="w-56 compact:w-40" />
          ) : null}
          <NewButton onPress={() => setAsking({ what: 'new' })} />
        </div>
      ) : null}
      {asked.phase === 'loading' ? <Skeleton rows={4} /> : null}
      {asked.phase === 'failed' ? <FailureNote error={asked.error} onRetry={asked.again} /> : null}
      {asked.phase === 'ready' && entries.length === 0 ? (
        <div className="rounded-card border border-dashed border-line-strong">
          <EmptyState
            icon={<KeyRound strokeWidth={1.5} />}
            title="No secrets yet"
            actions={<NewButton onPress={() => setAsking({ what: 'new' })} />}
          >
            They come with servers that need keys or tokens. You can also add one here and name it in a server’s form.
          </EmptyState>
        </div>
      ) : null}
      {entries.length > 0 && shown.length === 0 ? (
        <p role="status" className="py-6 text-center text-list text-ink-3">
          No secret fits these words.
        </p>
      ) : null}
      {shown.length > manyRows ? (
        <VirtualList
          items={shown}
          name="Secrets"
          estimate={58}
          within={scroller}
          className={frame}
          keyOf={keyOf}
          renderItem={(entry) => <div className="border-b border-line">{row(entry)}</div>}
        />
      ) : shown.length > 0 ? (
        <ul aria-label="Secrets" className={`divide-y divide-line ${frame}`}>
          {shown.map((entry) => (
            <li key={keyOf(entry)}>{row(entry)}</li>
          ))}
        </ul>
      ) : null}
      {asking?.what === 'new' ? <SecretDialog entries={entries} onClose={close} /> : null}
      {asking?.what === 'value' ? <SecretDialog entry={asking.entry} entries={entries} onClose={close} /> : null}
      {asking?.what === 'rename' ? <RenameSecretDialog entry={asking.entry} entries={entries} onClose={close} /> : null}
      {asking?.what === 'delete' ? <DeleteSecretDialog entry={asking.entry} onClose={close} /> : null}
    </>
  );
}

const fits = ({ key, usedBy }: SecretEntry, wanted: string): boolean =>
  key.toLowerCase().includes(wanted) || usedBy.some(({ server }) => server.toLowerCase().includes(wanted));

const NewButton = ({ onPress }: { readonly onPress: () => void }) => (
  <Button icon={<Plus size={14} strokeWidth={2} aria-hidden />} onClick={onPress}>
    New secret…
  </Button>
);
