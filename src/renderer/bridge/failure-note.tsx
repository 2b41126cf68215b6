import { useState } from 'react';
import { ErrorNote } from '../ui/error-note.tsx';
import type { ErrorCode } from '../../shared/errors.ts';
import { RequestError } from './api.ts';
import { describeError, type ErrorContext, type Remedy } from './errors.ts';
import { go } from './place.ts';
import { openProject } from './project.ts';

/** A failure in the words of its code, with its one remedy. `message` is the other side's own words, folded under "Details". */
export function FailureNote({ error, context, onRetry, compact = false }: {
  readonly error: { readonly code: ErrorCode; readonly message: string };
  readonly context?: ErrorContext;
  readonly onRetry?: (() => void) | undefined;
  readonly compact?: boolean;
}) {
  const [failed, setFailed] = useState<RequestError>();
  const { what, means, remedy } = describeError(error.code, context);
  const press = pressOf(remedy, onRetry, (thrown) => setFailed(RequestError.from(thrown)));
  const own = error.message.trim();
  return (
    <div className="flex flex-col gap-2">
      <ErrorNote
        what={what} means={means} compact={compact} detail={own && own !== 'Something went wrong' ? own : undefined}
        action={press && remedy.do !== 'nothing' ? { label: remedy.label, onPress: press } : undefined}
      />
      {failed ? <FailureNote error={failed} compact /> : null}
    </div>
  );
}

function pressOf(remedy: Remedy, onRetry: (() => void) | undefined, onError: (thrown: unknown) => void): (() => void) | undefined {
  switch (remedy.do) {
    case 'retry':
      return onRetry;
    case 'go':
      return () => go(remedy.place);
    case 'open-project':
      return () => void openProject().then((opened) => (opened ? onRetry?.() : undefined), onError);
    case 'nothing':
      return undefined;
  }
}
