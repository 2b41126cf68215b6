import clsx from 'clsx';
import { useEffect, useRef, type ReactNode } from 'react';
import type { SignInFlow, SignInWay } from '../../shared/model/sign-in.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import type { ServerRow } from '../../shared/state/app-state.ts';
import { signInNeed } from '../../shared/state/sign-in-need.ts';
import { api } from './api.ts';
import { FailureNote } from './failure-note.tsx';
import { go } from './place.ts';
import { useRequest } from './request-state.ts';
import { failureWords, leftMs, providerHost, wantedWords } from './sign-in-words.ts';
import { copyText } from './tool-detail.tsx';
import { beginSignIn, useSignIn, useSignInAddress } from './use-sign-in.ts';
import { Button } from '../ui/button.tsx';
import { StateDot, type DotState } from '../ui/state-dot.tsx';
import { durationText } from '../ui/time.ts';
import { useNow } from '../ui/use-now.ts';
import { VisibleText } from '../ui/visible-text.tsx';
import { SignInByHand } from './sign-in-by-hand.tsx';
import { SignInClientForm } from './sign-in-client-form.tsx';
import { SignInSteps } from './sign-in-steps.tsx';

/** Whom to sign in to: a server of the list, or one that exists in runs alone, by the id that its login is kept under. */
export type ToSignIn = Pick<ServerRow, 'connection' | 'signIn'> & {
  readonly definition: Pick<ServerDefinition, 'id' | 'name' | 'enabled'>;
  /** It stands in no list: its options are in a file, and a run connects it. */
  readonly ofRun?: true;
};
interface FlowProps {
  readonly row: ToSignIn;
  readonly flow: SignInFlow;
  readonly way: SignInWay;
}

/** What a sign-in waits for, how far it is or how it failed, and the one thing to do. Nothing while nobody has to sign in. The focus stays here when what had it is gone. */
export function SignInNote({ row }: { readonly row: ToSignIn }) {
  const holder = useRef<HTMLDivElement>(null);
  const within = useRef(false);
  const kind = row.definition.enabled ? signInNeed(row)?.kind : undefined;
  useEffect(() => {
    if (within.current && document.activeElement === document.body) holder.current?.focus({ preventScroll: true });
  }, [kind]);
  return (
    <div
      ref={holder} tabIndex={-1} className="flex flex-col gap-2 rounded-card empty:hidden focus-visible:outline-offset-2" onFocus={() => (within.current = true)}
      onBlur={(event) => (within.current = event.relatedTarget === null || event.currentTarget.contains(event.relatedTarget))}
    >
      <NoteNow row={row} />
    </div>
  );
}

function NoteNow({ row }: { readonly row: ToSignIn }) {
  const need = row.definition.enabled ? signInNeed(row) : undefined;
  const way = row.signIn?.way;
  if (!need || !way) return null;
  if (need.kind === 'wanted') return way === 'browser' ? <Wanted row={row} words={wantedWords(need.wanted, row.definition.name)} /> : <MachineRefused row={row} />;
  const props = { row, flow: need.flow, way };
  switch (need.kind) {
    case 'working':
      return <Working {...props} />;
    case 'waiting':
      return <Waiting {...props} />;
    case 'needs-client':
      return <NeedsClient {...props} />;
    case 'needs-host':
      return <NeedsHost {...props} />;
    case 'failed':
      // A machine that signs in by itself has nobody to ask, and says so afterwards.
      return need.flow.failure?.code === 'auth/host-blocked' && need.flow.host !== undefined ? <NeedsHost {...props} /> : <Failed {...props} />;
  }
}

const tones = {
  ask: { frame: 'border-ask-line bg-ask-soft', ink: 'text-ask', dot: 'needs-you' },
  bad: { frame: 'border-bad-line bg-bad-soft', ink: 'text-bad', dot: 'trouble' },
  calm: { frame: 'border-line bg-card', ink: 'text-ink', dot: 'busy' },
} as const satisfies Record<string, { readonly frame: string; readonly ink: string; readonly dot: DotState }>;

function Frame({ tone, title, means, aside, actions, steps, children }: {
  readonly tone: keyof typeof tones;
  readonly title: string;
  readonly means?: ReactNode;
  /** Beside the title. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
  readonly steps?: ReactNode;
  readonly children?: ReactNode;
}) {
  const look = tones[tone];
  return (
    <section aria-label="Sign-in" className={clsx('flex animate-appear gap-x-8 gap-y-4 rounded-card border px-4 py-3 text-list compact:flex-col', look.frame)}>
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
          <div className="min-w-0 flex-1 basis-72">
            <p className={clsx('flex items-baseline gap-1.5 font-[550]', look.ink)}>
              <StateDot state={look.dot} quiet word="" />
              <span className="min-w-0 break-words"><VisibleText text={title} /></span>
            </p>
            {means ? <div className="mt-0.5 break-words text-ink-2">{means}</div> : null}
          </div>
          <div className="flex flex-wrap items-center justify-end gap-2">
            {aside ? <span className="text-detail text-ink-2">{aside}</span> : null}
            {actions}
          </div>
        </div>
        {children}
      </div>
      {steps ? <div className="shrink-0 border-l border-line pl-6 compact:border-l-0 compact:pl-0">{steps}</div> : null}
    </section>
  );
}

function Wanted({ row, words }: { readonly row: ToSignIn; readonly words: ReturnType<typeof wantedWords> }) {
  const { definition } = row;
  const { state, start } = useSignIn(definition.id);
  return (
    <>
      <Frame
        tone="ask" title={words.what} means={<VisibleText text={words.means} />}
        actions={<Button look="primary" size="s" busy={state.phase === 'sending'} onClick={() => start()}>{words.button}</Button>}
      />
      {state.phase === 'failed' ? <FailureNote error={state.error} compact context={{ server: definition.name }} /> : null}
    </>
  );
}

function MachineRefused({ row }: { readonly row: ToSignIn }) {
  const { definition, connection } = row;
  const { state, run } = useRequest();
  return (
    <Frame
      tone="bad" title={`${definition.name} refused the sign-in that Gatehouse does by itself.`}
      means={<>{connection.phase === 'needs' && connection.message ? <span className="block text-ink select-text"><VisibleText text={connection.message} /></span> : null}{row.ofRun ? 'Check the credentials in its profile.' : 'Check the credentials in its options.'}</>}
      actions={row.ofRun ? undefined : <><Button size="s" onClick={() => go({ page: 'servers', serverId: definition.id, edit: 'sign-in' })}>Open its options</Button><Button look="plain" size="s" busy={state.phase === 'sending'} onClick={() => run(() => api.servers.start({ serverId: definition.id }))}>Try again</Button></>}
    />
  );
}

function CancelButton({ row, label = 'Cancel' }: { readonly row: ToSignIn; readonly label?: string }) {
  const { state, run } = useRequest();
  return <Button look="plain" size="s" busy={state.phase === 'sending'} onClick={() => run(() => api.auth.cancel({ serverId: row.definition.id }))}>{label}</Button>;
}

const Working = ({ row, flow, way }: FlowProps) => (
  <Frame
    tone="calm" title={way === 'browser' ? `Signing in to ${row.definition.name}` : `${row.definition.name} is signed in to, without you`} means={flow.issuer === undefined ? undefined : <Provider flow={flow} />}
    actions={<CancelButton row={row} />} steps={<SignInSteps flow={flow} way={way} />}
  />
);

const Provider = ({ flow }: { readonly flow: SignInFlow }) => <>Its provider is <strong className="font-[550] text-ink"><VisibleText text={providerHost(flow.issuer ?? '')} /></strong>.</>;

function Waiting({ row, flow, way }: FlowProps) {
  const serverId = row.definition.id;
  const now = useNow('second');
  const address = useSignInAddress(serverId, flow.flowId);
  const { state, start } = useSignIn(serverId);
  const opening = useRequest();
  const copying = useRequest();
  const failed = [state, opening.state, copying.state].find((one) => one.phase === 'failed');
  return (
    <Frame
      tone="ask" title="Waiting for you in the browser" aside={flow.expiresAt === undefined ? undefined : `${durationText(leftMs(flow.expiresAt, now)).replace('.0 s', ' s')} left`}
      means={<>Say yes there, and the rest goes on by itself. {flow.issuer === undefined ? null : <Provider flow={flow} />}</>}
      actions={<CancelButton row={row} />} steps={<SignInSteps flow={flow} way={way} />}
    >
      <div className="flex flex-wrap gap-2">
        {address === undefined ? (
          <Button size="s" busy={state.phase === 'sending'} onClick={() => start()}>Begin again in this browser</Button>
        ) : (
          <>
            <Button size="s" busy={opening.state.phase === 'sending'} onClick={() => opening.run(() => api.shell.openExternal({ url: address }))}>Open again</Button>
            <Button size="s" busy={copying.state.phase === 'sending'} onClick={() => copying.run(() => copyText(address))}>Copy address</Button>
          </>
        )}
      </div>
      <SignInByHand serverId={serverId} redirectUri={flow.redirectUri} />
      {failed?.phase === 'failed' ? <FailureNote error={failed.error} compact context={{ server: row.definition.name }} /> : null}
    </Frame>
  );
}

const NeedsClient = ({ row, flow, way }: FlowProps) => (
  <Frame
    tone="ask" title={flow.issuer === undefined ? 'The provider wants a client id from you.' : `${providerHost(flow.issuer)} wants a client id from you.`}
    means="It does not register apps by itself. Register Gatehouse there, as a native or desktop app, with exactly this redirect address. Then enter what it gives you."
    actions={<CancelButton row={row} />} steps={<SignInSteps flow={flow} way={way} />}
  >
    <SignInClientForm serverId={row.definition.id} server={row.definition.name} flow={flow} />
  </Frame>
);

function NeedsHost({ row, flow, way }: FlowProps) {
  const serverId = row.definition.id;
  const { state, run } = useRequest();
  const host = flow.host ?? '';
  const allow = () =>
    run(async () => {
      await api.auth.allowHost({ serverId, host });
      await beginSignIn(serverId);
    });
  return (
    <Frame
      tone="ask" title={`The sign-in of ${row.definition.name} leads into your own network.`}
      means="The server named this address of your computer or network. Nothing was sent there. Allow it if you know it, such as the sign-in of your company or a test on this computer. Otherwise cancel: a server may use it to reach what only you can reach."
      actions={<CancelButton row={row} />} steps={<SignInSteps flow={flow} way={way} />}
    >
      <p className="w-fit max-w-full rounded-control border border-ask-line bg-card px-3 py-1.5 font-code text-body font-semibold break-all text-ink select-text"><VisibleText text={host} /></p>
      <Button size="s" className="w-fit" busy={state.phase === 'sending'} onClick={allow}>Allow {host.length <= 40 ? <VisibleText text={host} /> : 'this address'} and go on</Button>
      {state.phase === 'failed' ? <FailureNote error={state.error} compact context={{ server: row.definition.name }} /> : null}
    </Frame>
  );
}

/** Where the person or the time ended it there is no trouble to see to. */
const byPerson = (flow: SignInFlow): boolean => flow.failure?.code === 'auth/denied' || flow.failure?.code === 'auth/expired' || flow.failure?.code === 'run/cancelled';

function Failed({ row, flow, way }: FlowProps) {
  const { definition } = row;
  const words = failureWords(flow, definition.name);
  const { state, start } = useSignIn(definition.id);
  const retrying = useRequest();
  const again = () => (way === 'browser' ? start() : retrying.run(() => api.servers.start({ serverId: definition.id })));
  const busy = state.phase === 'sending' || retrying.state.phase === 'sending';
  const own = flow.failure?.message.trim() ?? '';
  return (
    <Frame
      tone={byPerson(flow) ? 'ask' : 'bad'} title={words.what} means={<VisibleText text={words.means} />}
      steps={<SignInSteps flow={flow} way={way} />}
    >
      {own === '' ? null : (
        <figure className="border-l-2 border-line-strong pl-3">
          <figcaption className="text-detail text-ink-2">What was said</figcaption>
          <blockquote className="break-words text-ink select-text"><VisibleText text={own} /></blockquote>
        </figure>
      )}
      <div className="flex flex-wrap gap-2">
        {words.next === 'other-account' ? <Button look="primary" size="s" busy={busy} onClick={() => start({ otherAccount: true })}>Use another account</Button> : null}
        {!row.ofRun && (words.next === 'options' || way !== 'browser') ? <Button size="s" onClick={() => go({ page: 'servers', serverId: definition.id, edit: 'sign-in' })}>Open its options</Button> : null}
        {words.next === 'vault' ? <Button size="s" onClick={() => go({ page: 'settings', section: 'vault' })}>Open the vault</Button> : null}
        {words.next === 'nothing' || (row.ofRun && way !== 'browser') || flow.failure?.code === 'auth/issuer-mismatch' ? null : (
          <Button look={words.next === 'again' ? (way === 'browser' ? 'primary' : 'quiet') : 'plain'} size="s" busy={busy && words.next !== 'other-account'} onClick={again}>{way === 'browser' ? 'Sign in again' : 'Try again'}</Button>
        )}
        <CancelButton row={row} label="Put away" />
      </div>
      {state.phase === 'failed' && state.error.code !== flow.failure?.code ? <FailureNote error={state.error} compact context={{ server: definition.name }} /> : null}
    </Frame>
  );
}
