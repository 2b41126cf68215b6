import type { ReactNode } from 'react';
import type { ConfigIssue } from '../../../shared/model/source.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useAsked, useRequest } from '../../bridge/request-state.ts';
import { VaultChoice } from '../../bridge/vault-choice.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';

/** What would be written, before it is. */
export interface Review {
  readonly file: string;
  readonly diff: string;
  readonly issues: readonly ConfigIssue[];
  /** What else happens with it: secrets that are stored, names that are changed. */
  readonly notes?: ReactNode;
  /** Values go into the vault with it. */
  readonly needsVault?: boolean;
}

/** The file's change and the one button that makes it. Nothing is written, stored or contacted before that. */
export function ReviewDialog({
  title,
  label,
  look,
  onAdd,
  onClose,
}: {
  readonly title: string;
  /** Of the button. */
  readonly label: string;
  readonly look: (signal: AbortSignal) => Promise<Review>;
  readonly onAdd: () => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const asked = useAsked(title, look);
  const adding = useRequest();
  const vault = useApp((state) => state.vault);
  const review = asked.phase === 'ready' ? asked.value : undefined;
  const refused = review?.issues.some(({ severity }) => severity === 'error') ?? true;
  const unavailable = review?.needsVault && vault?.phase === 'unavailable' ? vault : undefined;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button look="plain" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" busy={adding.state.phase === 'sending'} disabled={refused} onClick={() => adding.run(onAdd)}>
            {label}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {asked.phase === 'loading' ? <Skeleton rows={4} /> : null}
        {asked.phase === 'failed' ? <FailureNote error={asked.error} onRetry={asked.again} /> : null}
        {review ? (
          <>
            <p className="text-list text-ink-2">
              This file changes, and no other:{' '}
              <span className="font-code text-code break-all text-ink select-text">
                <VisibleText text={review.file} />
              </span>
            </p>
            <DiffView diff={review.diff} name="What changes in the file" />
            {review.notes}
            {review.issues.length > 0 ? (
              <ul aria-label="Problems" className="flex flex-col gap-1 text-list">
                {review.issues.map((issue) => (
                  <li key={`${issue.path} ${issue.code}`} className={issue.severity === 'error' ? 'text-bad' : 'text-ink-2'}>
                    <VisibleText text={issue.server === undefined ? issue.message : `${issue.server}: ${issue.message}`} />
                  </li>
                ))}
              </ul>
            ) : null}
          </>
        ) : null}
        {unavailable ? <VaultChoice status={unavailable} /> : null}
        {adding.state.phase === 'failed' && !(unavailable && adding.state.error.code.startsWith('vault/')) ? (
          <FailureNote error={adding.state.error} compact />
        ) : null}
      </div>
    </Dialog>
  );
}
