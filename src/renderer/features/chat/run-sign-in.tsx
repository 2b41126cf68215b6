import { KeyRound } from 'lucide-react';
import { memo } from 'react';
import type { RunServer } from '../../../shared/model/run-setup.ts';
import type { SignInStatus } from '../../../shared/model/sign-in.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { SignInNote, type ToSignIn } from '../../bridge/sign-in-note.tsx';
import { Button } from '../../ui/button.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';

type SignedInTo = RunServer & { readonly loginId: NonNullable<RunServer['loginId']> };
const hasLogin = (server: RunServer): server is SignedInTo => server.loginId !== undefined;

/** What servers that a run brought along want of the person's sign-in, and whom they are signed in to as. In the chat's last run alone: there it can be of use. */
export function RunSignIns({ servers }: { readonly servers: readonly RunServer[] }) {
  return servers.filter(hasLogin).map((server) => <RunSignIn key={server.loginId} server={server} />);
}

const RunSignIn = memo(function RunSignIn({ server }: { readonly server: SignedInTo }) {
  const signIn = useApp((state) => state.runSignIns[server.loginId]);
  if (!signIn) return null;
  // Why it was refused, where a machine signs in: the run's own line leaves it to this.
  const connection: ToSignIn['connection'] = signIn.wanted && server.problem !== undefined ? { phase: 'needs', what: 'sign-in', message: server.problem } : { phase: 'stopped', why: 'asleep' };
  const row: ToSignIn = { definition: { id: server.loginId, name: server.name, enabled: true }, connection, signIn, ofRun: true };
  return (
    <div className="mt-2 flex flex-col gap-2 empty:hidden">
      <SignInNote row={row} />
      {signIn.login && !signIn.flow && !signIn.wanted ? <SignedIn server={server} login={signIn.login} machine={signIn.way !== 'browser'} /> : null}
    </div>
  );
});

function SignedIn({ server, login, machine }: { readonly server: SignedInTo; readonly login: NonNullable<SignInStatus['login']>; readonly machine: boolean }) {
  const { state, run } = useRequest();
  const late = server.tools === undefined;
  return (
    <div className="flex flex-col gap-1 pl-5">
      <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-detail text-ink-2">
        <KeyRound size={13} strokeWidth={1.75} className="shrink-0 text-ok" aria-hidden />
        <span className="min-w-0 break-words">
          {machine ? <>{<VisibleText text={server.name} />} is signed in to, without you.</> : <>Signed in to <VisibleText text={server.name} />{login.account === undefined ? '' : <> as <span className="text-ink"><VisibleText text={login.account} /></span></>}.</>}
          {late ? ' With your next message it is there.' : ''}
        </span>
        <Button size="s" look="plain" className="-my-1" busy={state.phase === 'sending'} aria-label={`Sign out: ${server.name}`} onClick={() => run(() => api.auth.signOut({ serverId: server.loginId }))}>Sign out</Button>
      </p>
      {state.phase === 'failed' ? <FailureNote error={state.error} compact context={{ server: server.name }} /> : null}
    </div>
  );
}
