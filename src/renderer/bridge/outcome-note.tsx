import type { ToolOutcome } from '../../shared/model/tool-call.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { FailureNote } from './failure-note.tsx';

/** Why a resource was not read. */
export function OutcomeNote({ outcome, server, onRetry }: { readonly outcome: Exclude<ToolOutcome, { readonly kind: 'succeeded' }>; readonly server: string; readonly onRetry?: (() => void) | undefined }) {
  switch (outcome.kind) {
    case 'failed':
      return <FailureNote error={outcome} compact context={{ server, tool: 'resource' }} onRetry={onRetry} />;
    case 'denied':
      return <ErrorNote compact tone="ask" what="It was not read." means={outcome.reason} />;
    case 'cancelled':
      return <ErrorNote compact tone="ask" what="Reading it was cancelled." />;
    case 'tool-error':
      return <ErrorNote compact what={`“${server}” reports an error.`} />;
  }
}
