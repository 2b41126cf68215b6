import clsx from 'clsx';
import { useState } from 'react';
import type { ToolCallView, ToolOutcome } from '../../../shared/model/tool-call.ts';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { signInNeed } from '../../../shared/state/sign-in-need.ts';
import { api, type RequestError } from '../../bridge/api.ts';
import { describeError } from '../../bridge/errors.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { wantedWords } from '../../bridge/sign-in-words.ts';
import { SignInButton } from '../../bridge/sign-in-button.tsx';
import { Button } from '../../ui/button.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { ownSignIn } from './own-words.ts';

type Failed = Extract<ToolOutcome, { readonly kind: 'failed' }>;
/** It ended for want of a sign-in, or of more permission. */
export const wantsSignIn = (outcome: ToolOutcome): outcome is Failed => outcome.kind === 'failed' && (outcome.code === 'auth/sign-in-required' || outcome.code === 'auth/scopes-needed');

/** Someone signed in after the call had ended. */
const signedInSince = (row: ServerRow | undefined, view: ToolCallView): boolean =>
  view.phase === 'settled' && row?.signIn?.login !== undefined && (row.signIn.login.refreshedAt ?? row.signIn.login.signedInAt) > view.settledAt && signInNeed(row) === undefined;

/** Why a call was not let in, the sign-in that helps, and the call once more. */
export function SignInOffer({ view, outcome }: { readonly view: ToolCallView; readonly outcome: Failed }) {
  const { call } = view;
  const row = useApp((state) => state.servers[call.ref.serverId]);
  const [error, setError] = useState<RequestError>();
  const need = row && signInNeed(row);
  const { what, means } =
    need?.kind === 'wanted' && need.wanted.tool === call.ref.tool ? wantedWords(need.wanted, call.serverName) : describeError(outcome.code, { server: call.serverName, tool: call.ref.tool });
  const since = signedInSince(row, view);
  return (
    <div role="group" aria-label={`Sign-in to ${call.serverName}`} className="flex flex-col gap-2">
      <div className={clsx('flex flex-wrap items-start gap-x-4 gap-y-2 rounded-card border px-4 py-3 text-list', since ? 'border-line bg-card' : 'border-ask-line bg-ask-soft')}>
        <div className="min-w-0 flex-1 basis-64">
          <p className={clsx('font-[550] break-words', since ? 'text-ink' : 'text-ask')}><StateDot state={since ? 'working' : 'needs-you'} quiet word="" /> <VisibleText text={since ? `You are signed in to ${call.serverName} now.` : what} /></p>
          <p className="mt-0.5 break-words text-ink-2">{since ? 'The call was not made.' : <VisibleText text={means} />}</p>
        </div>
        {since ? <TryAgain view={view} onError={setError} /> : row ? <SignInButton row={row} look="primary" onError={setError} /> : null}
      </div>
      {error ? <FailureNote error={error} compact context={{ server: call.serverName, tool: call.ref.tool }} /> : null}
    </div>
  );
}

/** In Direct mode the same call; where a model called, it is told, and decides. */
function TryAgain({ view, onError }: { readonly view: ToolCallView; readonly onError: (error: RequestError | undefined) => void }) {
  const { call } = view;
  const { state, run } = useRequest();
  const { caller } = call;
  if (caller.kind !== 'direct' && caller.kind !== 'chat') return null;
  const { chatId } = caller;
  const again = async (): Promise<void> => {
    onError(undefined);
    if (caller.kind === 'chat') return await api.chats.send({ chatId, text: `I have signed in to ${call.serverName}. Please try again.` });
    // Signed in, the server may describe the tool anew: what runs is what it is now.
    const tool = await api.catalog.tool({ serverId: call.ref.serverId, tool: call.ref.tool });
    await api.chats.callTool({ chatId, ref: tool?.ref ?? call.ref, args: { ...call.args } });
  };
  return (
    <div className="flex flex-col items-end gap-2">
      <Button size="s" look="primary" busy={state.phase === 'sending'} onClick={() => run(again)}>Try again</Button>
      {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
    </div>
  );
}

/** The same in the call's line: while it is closed, and for the gateway, which names a server. */
export function SignInBeside({ view, open }: { readonly view: ToolCallView; readonly open: boolean }) {
  const named = ownSignIn(view);
  const row = useApp((state) => (named === undefined ? state.servers[view.call.ref.serverId] : Object.values(state.servers).find(({ definition }) => definition.name === named)));
  const [error, setError] = useState<RequestError>();
  const wanted = named !== undefined || (!open && view.phase === 'settled' && wantsSignIn(view.outcome));
  if (!row || !wanted) return null;
  return (
    <span className="flex shrink-0 items-center gap-2 pr-2">
      {error ? <span role="alert" className="max-w-60 truncate text-detail text-bad">{describeError(error.code, { server: row.definition.name }).what}</span> : null}
      <SignInButton row={row} onError={setError} />
    </span>
  );
}
