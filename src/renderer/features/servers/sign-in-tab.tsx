import { Ellipsis, KeyRound } from 'lucide-react';
import type { SignInLogin, SignInStatus } from '../../../shared/model/sign-in.ts';
import type { AppState, ServerRow } from '../../../shared/state/app-state.ts';
import { signInNeed } from '../../../shared/state/sign-in-need.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { wayOf } from '../../bridge/may-sign-in.ts';
import { hrefOf } from '../../bridge/place.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { clientFromWords, providerHost, wayWords } from '../../bridge/sign-in-words.ts';
import { useSignIn } from '../../bridge/use-sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { agoText, durationText } from '../../ui/time.ts';
import { useNow } from '../../ui/use-now.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { Code, Fact, Group } from '../../bridge/fact-list.tsx';
import { SignInHistory } from './sign-in-history.tsx';
import { sharers } from './sign-in-share.ts';

const noServers: AppState['servers'] = {};

/** As whom one is signed in, by whom, to what, until when; and what the sign-in asked and heard. */
export function SignInTab({ row, onSignOut }: { readonly row: ServerRow; readonly onSignOut: () => void }) {
  const { signIn } = row;
  const login = signIn?.login;
  const hosts = signIn?.allowedHosts ?? [];
  return (
    <div className="flex flex-col gap-6">
      {login ? <SignedIn row={row} login={login} onSignOut={onSignOut} /> : <NotSignedIn row={row} />}
      {hosts.length > 0 ? (
        <Group name="Allowed addresses of your own network">
          {hosts.map((host) => <AllowedHost key={host} row={row} host={host} />)}
        </Group>
      ) : null}
      <SignInHistory serverId={row.definition.id} revision={revisionOf(signIn)} />
    </div>
  );
}

function AllowedHost({ row, host }: { readonly row: ServerRow; readonly host: string }) {
  const { id: serverId, name } = row.definition;
  const { state, run } = useRequest();
  return (
    <Fact name="You allowed">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Code text={host} /> <span className="min-w-0 flex-1 text-ink-3">for the sign-in of this server alone</span>
        <Button size="s" aria-label={`Take back ${host}`} busy={state.phase === 'sending'} onClick={() => run(() => api.auth.forbidHost({ serverId, host }))}>Take back</Button>
      </span>
      {state.phase === 'failed' ? <div className="mt-2"><FailureNote error={state.error} compact context={{ server: name }} /></div> : null}
    </Fact>
  );
}

/** Changes when a sign-in has moved on. */
const revisionOf = (signIn: SignInStatus | undefined): string =>
  [signIn?.flow?.flowId, signIn?.flow?.step, signIn?.flow?.phase, signIn?.login?.signedInAt, signIn?.login?.refreshedAt].join(' ');

function SignedIn({ row, login, onSignOut }: { readonly row: ServerRow; readonly login: SignInLogin; readonly onSignOut: () => void }) {
  const { name } = row.definition;
  const machine = row.signIn !== undefined && row.signIn.way !== 'browser';
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-card px-4 py-3">
        <KeyRound size={20} strokeWidth={1.5} className="shrink-0 text-ok" aria-hidden />
        <div className="min-w-0 flex-1 basis-60">
          <p className="text-title font-semibold break-all text-ink select-text"><VisibleText text={providerHost(login.issuer)} /></p>
          <p className="text-list break-words text-ink-2">
            {machine ? 'Signs in by itself' : login.account === undefined ? 'Signed in' : <>Signed in as <span className="font-[550] text-ink select-text"><VisibleText text={login.account} /></span></>}
          </p>
        </div>
        <LoginActions row={row} login={login} onSignOut={onSignOut} name={name} />
      </div>
      <LoginFacts row={row} login={login} />
    </div>
  );
}

function LoginActions({ row, login, onSignOut, name }: { readonly row: ServerRow; readonly login: SignInLogin; readonly onSignOut: () => void; readonly name: string }) {
  const { id: serverId } = row.definition;
  const { state, start } = useSignIn(serverId);
  const sharing = useShareEntries(row);
  const machine = row.signIn !== undefined && row.signIn.way !== 'browser';
  const shared = login.sharedFrom !== undefined;
  const entries: readonly MenuEntry[] = [
    ...(machine || shared ? [] : [{ label: 'Sign in again', onSelect: () => start() }, { label: 'Use another account', onSelect: () => start({ otherAccount: true }) }]),
    ...sharing.entries,
  ];
  const error = [state, sharing.state].find((one) => one.phase === 'failed');
  return (
    <>
      <div className="flex items-center gap-1">
        <Button size="s" busy={state.phase === 'sending' || sharing.state.phase === 'sending'} onClick={shared ? sharing.end : onSignOut}>{shared ? 'Stop using this login' : machine ? 'Forget the token…' : 'Sign out…'}</Button>
        {entries.length > 0 ? <Menu entries={entries} trigger={<IconButton size="s" name={`More for the sign-in to ${name}`} icon={<Ellipsis size={16} strokeWidth={1.75} aria-hidden />} />} /> : null}
      </div>
      {error?.phase === 'failed' ? <div className="basis-full"><FailureNote error={error.error} compact context={{ server: name }} /></div> : null}
    </>
  );
}

/** The logins of other servers at the same place, to be used here by choice. */
function useShareEntries(row: ServerRow): { readonly entries: readonly MenuEntry[]; readonly end: () => void; readonly state: ReturnType<typeof useRequest>['state'] } {
  const servers = useApp((state) => state.servers) ?? noServers;
  const { state, run } = useRequest();
  const { id: serverId } = row.definition;
  const others = wayOf(row) === 'browser' ? sharers(row, servers) : [];
  return {
    state,
    end: () => run(() => api.auth.share({ serverId, from: null })),
    entries:
      others.length === 0
        ? []
        : [
            { heading: 'Use the login of another server' },
            ...others.map(({ definition, signIn }) => ({
              label: definition.name, ...(signIn?.login?.account === undefined ? {} : { hint: signIn.login.account }), checked: row.signIn?.login?.sharedFrom === definition.id,
              onSelect: () => run(() => api.auth.share({ serverId, from: definition.id })),
            })),
          ],
  };
}

function NotSignedIn({ row }: { readonly row: ServerRow }) {
  const { definition } = row;
  const way = wayOf(row) ?? 'browser';
  const { state, start } = useSignIn(definition.id);
  const sharing = useShareEntries(row);
  const machine = way !== 'browser';
  const error = [state, sharing.state].find((one) => one.phase === 'failed');
  const others = sharing.entries.length > 0 ? <Menu entries={sharing.entries} align="start" trigger={<Button size="s" busy={sharing.state.phase === 'sending'}>Use the login of another server…</Button>} /> : null;
  // The note above says what is to be done.
  if (signInNeed(row) && !machine) return others ? <div className="flex flex-wrap items-center gap-3 text-list text-ink-2">Somebody is signed in to a server at the same place.{others}</div> : null;
  return (
    <div className="rounded-card border border-line bg-card">
      <EmptyState
        icon={<KeyRound strokeWidth={1.5} />} title={machine ? wayWords[way] : 'Nobody is signed in'}
        actions={
          <>
            {machine ? null : <Button size="s" busy={state.phase === 'sending'} onClick={() => start()}>Sign in</Button>}
            {others}
          </>
        }
      >
        {machine ? 'It does so when it connects, and renews it when it ends. Nothing of it is kept on the disk.' : <>“<VisibleText text={definition.name} />” has not asked for it. Some servers show more to those who sign in.</>}
      </EmptyState>
      {error?.phase === 'failed' ? <div className="px-4 pb-4"><FailureNote error={error.error} compact context={{ server: definition.name }} /></div> : null}
    </div>
  );
}

function LoginFacts({ row, login }: { readonly row: ServerRow; readonly login: SignInLogin }) {
  const now = useNow();
  const from = useApp((state) => (login.sharedFrom === undefined ? undefined : state.servers[login.sharedFrom]?.definition.name));
  return (
    <Group name="The login">
      <Fact name="Provider"><Code text={login.issuer} copy={login.issuer} copyName="Copy the provider’s address" /></Fact>
      {row.signIn && row.signIn.way !== 'browser' ? <Fact name="Who signs in">{wayWords[row.signIn.way]}</Fact> : null}
      {login.sharedFrom === undefined ? null : (
        <Fact name="Login of">
          <a href={hrefOf({ page: 'servers', serverId: login.sharedFrom })} className="text-accent underline-offset-2 hover:underline"><VisibleText text={from ?? 'a server that was removed'} /></a> <span className="text-ink-3">used here by your choice</span>
        </Fact>
      )}
      <Fact name="Granted">
        {login.scopes.length === 0 ? <span className="text-ink-3">The provider named no scopes.</span> : (
          <ul className="flex flex-wrap gap-1">{login.scopes.map((scope) => <li key={scope} className="rounded-[5px] border border-line bg-pane px-1.5 font-code text-detail break-all text-ink-2"><VisibleText text={scope} /></li>)}</ul>
        )}
      </Fact>
      <Fact name="Since">
        {new Date(login.signedInAt).toLocaleString()}
        {login.refreshedAt === undefined ? null : <span className="text-ink-3"> (renewed {agoText(login.refreshedAt, now)})</span>}
      </Fact>
      <Fact name="Until"><Until login={login} now={now} /></Fact>
      <Fact name="Client id"><Code text={login.clientId} copy={login.clientId} copyName="Copy the client id" /> <span className="text-ink-3">{clientFromWords[login.clientFrom]}</span></Fact>
      {login.dpop ? <Fact name="Bound to this app">Each request proves that it comes from here (DPoP).</Fact> : null}
    </Group>
  );
}

/** When the present token ends, and what happens then. */
function Until({ login, now }: { readonly login: SignInLogin; readonly now: number }) {
  const then = login.renews ? 'It is renewed by itself.' : 'Then you sign in again.';
  if (login.expiresAt === undefined) return <>The provider does not say. <span className="text-ink-3">{login.renews ? 'It is renewed when it ends.' : 'You sign in again when it ends.'}</span></>;
  const left = login.expiresAt - now;
  if (left <= 0) return <>The token ended. <span className="text-ink-3">{login.renews ? 'It is renewed at the next use.' : 'Sign in again.'}</span></>;
  return <>The token ends in {durationText(left)}. <span className="text-ink-3">{then}</span></>;
}
