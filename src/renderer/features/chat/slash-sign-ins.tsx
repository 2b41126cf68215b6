import { useState } from 'react';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { signInNeed } from '../../../shared/state/sign-in-need.ts';
import type { RequestError } from '../../bridge/api.ts';
import { serverWords } from '../../bridge/connection-words.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { mayBeSignedIn, wayOf } from '../../bridge/may-sign-in.ts';
import { hrefOf } from '../../bridge/place.ts';
import { revokedWords } from '../../bridge/sign-in-words.ts';
import { SignInButton } from '../../bridge/sign-in-button.tsx';
import { useSignIn } from '../../bridge/use-sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { Answer } from './slash-answers.tsx';

/** `/mcp auth`: the servers that one may be signed in to, those that want it first. */
export function ServerSignIns({ onClose }: { readonly onClose: () => void }) {
  const servers = useApp((state) => state.servers);
  const rows = Object.values(servers ?? {})
    .filter((row) => row.definition.enabled && mayBeSignedIn(row))
    .toSorted((a, b) => Number(signInNeed(b) !== undefined) - Number(signInNeed(a) !== undefined) || a.definition.name.localeCompare(b.definition.name));
  return (
    <Answer title="Sign in" onClose={onClose}>
      {rows.length === 0 ? <p className="text-ink-2">None of your servers is reached over HTTP: there is nothing to sign in to.</p> : <ul>{rows.map((row) => <SignInLine key={row.definition.id} row={row} />)}</ul>}
    </Answer>
  );
}

function SignInLine({ row }: { readonly row: ServerRow }) {
  const { definition, signIn } = row;
  const [error, setError] = useState<RequestError>();
  const { state, start } = useSignIn(definition.id);
  const { dot, word } = serverWords(row);
  const account = signIn?.login?.account;
  const shown = error ?? (state.phase === 'failed' ? state.error : undefined);
  const quiet = signInNeed(row) === undefined;
  return (
    <li className="py-1">
      <div className="flex min-h-7 items-center gap-3">
        <a className="min-w-0 flex-1 truncate text-ink hover:underline" href={hrefOf({ page: 'servers', serverId: definition.id })}><VisibleText text={definition.name} /></a>
        {account === undefined ? null : <span className="min-w-0 shrink truncate text-detail text-ink-3"><VisibleText text={account} /></span>}
        <span className="w-48 shrink-0 truncate text-detail"><StateDot state={dot} word={word} /></span>
        <span className="flex w-30 shrink-0 justify-end">
          {wayOf(row) !== 'browser' ? <span className="text-detail text-ink-3">by itself</span> : quiet ? <Button size="s" look="plain" busy={state.phase === 'sending'} aria-label={`Sign in${signIn?.login ? ' again' : ''}: ${definition.name}`} onClick={() => start()}>{signIn?.login ? 'Sign in again' : 'Sign in'}</Button> : <SignInButton row={row} onError={setError} />}
        </span>
      </div>
      {shown ? <FailureNote error={shown} compact context={{ server: definition.name }} /> : null}
    </li>
  );
}

/** `/mcp logout`: what the provider did with its tokens. */
export function SignedOut({ server, revoked, onClose }: { readonly server: string; readonly revoked: keyof typeof revokedWords; readonly onClose: () => void }) {
  return (
    <Answer title={`Signed out of ${server}`} onClose={onClose}>
      <p role="status" className="text-ink-2">It is disconnected. {revokedWords[revoked]('The provider')}</p>
    </Answer>
  );
}
