import { useState, type ReactNode } from 'react';
import type { ChatId, ServerId } from '../../../shared/ids.ts';
import type { ToolOutcome } from '../../../shared/model/tool-call.ts';
import { api, RequestError } from '../../bridge/api.ts';
import { addAttachments, type DraftKey } from '../../bridge/drafts.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { OutcomeNote } from '../../bridge/outcome-note.tsx';

export interface Wanted {
  readonly serverId: ServerId;
  readonly serverName: string;
  readonly uri: string;
  readonly name: string;
}
type Failed = { readonly wanted: Wanted } & ({ readonly error: RequestError } | { readonly outcome: Exclude<ToolOutcome, { readonly kind: 'succeeded' }> });
export interface Attaching {
  readonly attach: (wanted: Wanted) => void;
  /** Names of those that are being read. */
  readonly reading: readonly string[];
  /** Why the last one was not attached. */
  readonly note: ReactNode;
}

/** Reads a resource and puts it beside the message that is being written. */
export function useAttaching(draftKey: DraftKey, chatId: ChatId | undefined): Attaching {
  const [reading, setReading] = useState<readonly Wanted[]>([]);
  const [failed, setFailed] = useState<Failed>();
  const attach = (wanted: Wanted) => {
    setFailed(undefined);
    setReading((before) => [...before, wanted]);
    // In one go with what comes of it: it is never seen as read and still being read.
    const settle = (then: () => void) => {
      setReading((before) => before.filter((one) => one !== wanted));
      then();
    };
    api.resources.attach({ serverId: wanted.serverId, uri: wanted.uri, ...(chatId === undefined ? {} : { chatId }) }).then(
      (answer) => settle(() => (answer.kind === 'attached' ? addAttachments(draftKey, [answer.attachment]) : setFailed({ wanted, outcome: answer.outcome }))),
      (thrown: unknown) => settle(() => setFailed({ wanted, error: RequestError.from(thrown) })),
    );
  };
  const again = failed && (() => attach(failed.wanted));
  const note = !failed ? null : (
    <div className="mb-2">
      {'error' in failed ? <FailureNote error={failed.error} compact context={{ server: failed.wanted.serverName }} onRetry={again} /> : <OutcomeNote outcome={failed.outcome} server={failed.wanted.serverName} onRetry={again} />}
    </div>
  );
  return { attach, reading: reading.map(({ name }) => name), note };
}
