import type { ConfigScope } from '../../../shared/model/config-value.ts';
import { api, type RequestError } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useAsked, useRequest } from '../../bridge/request-state.ts';
import { VaultChoice } from '../../bridge/vault-choice.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { EntryIssues } from './entry-issues.tsx';
import { editsOf, forgetSaved, type ScopeDraft } from './scope-draft.ts';

/** What the file will say, line by line; saved from here and from nowhere else. */
export function ReviewDialog({ scope, draftId, draft, onClose, onSaved, onLookAgain }: {
  readonly scope: ConfigScope;
  readonly draftId: string;
  readonly draft: ScopeDraft;
  readonly onClose: () => void;
  readonly onSaved: () => void;
  readonly onLookAgain: (name: string) => void;
}) {
  const revision = useApp((state) => state.configRevision) ?? 0;
  const asked = useAsked(`preview ${revision}`, (signal) => api.config.preview({ scope, edits: editsOf(draft) }, signal));
  const { state, run } = useRequest();
  const vault = useApp((app) => app.vault);
  const save = () =>
    run(async () => {
      await api.config.save({ scope, edits: editsOf(draft) });
      forgetSaved(draftId, draft);
      onSaved();
    });
  const error = state.phase === 'failed' ? state.error : asked.phase === 'failed' ? asked.error : undefined;
  const aboutVault = vault?.phase === 'unavailable' && error?.code.startsWith('vault/') === true;
  return (
    <Dialog
      open
      onClose={onClose}
      wide
      title="What will be written"
      description={asked.phase === 'ready' ? <code className="break-all"><VisibleText text={asked.value.file} /></code> : undefined}
      footer={
        <>
          <p className="mr-auto min-w-0 text-detail text-ink-3">New chats use it at once. A run that goes on keeps what it began with.</p>
          <Button look="plain" onClick={onClose}>Back</Button>
          <Button look="primary" busy={state.phase === 'sending'} disabled={asked.phase !== 'ready'} onClick={save}>Save</Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {asked.phase === 'loading' ? <Skeleton rows={5} /> : null}
        {asked.phase === 'ready' ? <DiffView diff={asked.value.diff} name="What will be written" maxHeight="max-h-[52vh]" /> : null}
        {asked.phase === 'ready' && asked.value.issues.length > 0 ? <div className="-mx-3"><EntryIssues issues={asked.value.issues} /></div> : null}
        {vault?.phase === 'unavailable' && aboutVault ? <VaultChoice status={vault} /> : null}
        {error && !aboutVault ? <SaveFailure error={error} onLookAgain={onLookAgain} onRetry={save} /> : null}
      </div>
    </Dialog>
  );
}

const nameIn = (data: unknown): string | undefined =>
  typeof data === 'object' && data !== null && 'name' in data && typeof data.name === 'string' ? data.name : undefined;

function SaveFailure({ error, onLookAgain, onRetry }: { readonly error: RequestError; readonly onLookAgain: (name: string) => void; readonly onRetry: () => void }) {
  const name = nameIn(error.data);
  if (error.code !== 'config/changed' || name === undefined) return <FailureNote error={error} compact context={{ server: name }} onRetry={onRetry} />;
  return (
    <ErrorNote
      tone="ask"
      compact
      what={<>“<VisibleText text={name} />” was changed in the file meanwhile.</>}
      means="Nothing was written. Look at what stands there now: your change to it is let go, the others stay."
      action={{ label: 'Look again', onPress: () => onLookAgain(name) }}
    />
  );
}
