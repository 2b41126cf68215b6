import { useId, type ReactNode } from 'react';
import type { RequestError } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import type { RequestState } from '../../bridge/request-state.ts';
import { VaultChoice } from '../../bridge/vault-choice.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

/** A few fields and one button. With `vault`, says what to do while nothing can be stored. */
export function FormDialog({
  title,
  description,
  action,
  look = 'primary',
  disabled = false,
  state,
  onSave,
  onClose,
  vault = false,
  failure,
  children,
}: {
  readonly title: string;
  readonly description?: string;
  readonly action: string;
  readonly look?: 'primary' | 'danger';
  readonly disabled?: boolean;
  readonly state: RequestState;
  readonly onSave: () => void;
  readonly onClose: () => void;
  readonly vault?: boolean;
  /** Words of its own for some failures; without any, the usual ones. */
  readonly failure?: (error: RequestError) => ReactNode;
  readonly children: ReactNode;
}) {
  const form = useId();
  const status = useApp((app) => app.vault);
  const unavailable = vault && status?.phase === 'unavailable' ? status : undefined;
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      {...(description === undefined ? {} : { description })}
      footer={
        <>
          <Button look="plain" onClick={onClose}>
            Cancel
          </Button>
          <Button look={look} type="submit" form={form} disabled={disabled} busy={state.phase === 'sending'}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onSave();
        }}
      >
        {children}
        {unavailable ? <VaultChoice status={unavailable} /> : null}
        {state.phase === 'failed' && !(unavailable && state.error.code.startsWith('vault/')) ? (
          (failure?.(state.error) ?? <FailureNote error={state.error} compact onRetry={onSave} />)
        ) : null}
      </form>
    </Dialog>
  );
}
