import { useState } from 'react';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import type { SignInLogin } from '../../../shared/model/sign-in.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useRequest } from '../../bridge/request-state.ts';
import { providerHost, revokedWords } from '../../bridge/sign-in-words.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';

/** Asks, then says what the provider did with its tokens. */
export function SignOutDialog({ row, login, onClose }: { readonly row: ServerRow; readonly login: SignInLogin; readonly onClose: () => void }) {
  const { id: serverId, name } = row.definition;
  const [forgetClient, setForgetClient] = useState(false);
  const [revoked, setRevoked] = useState<keyof typeof revokedWords>();
  const { state, run } = useRequest();
  const host = providerHost(login.issuer);
  const signOut = () => run(async () => setRevoked((await api.auth.signOut({ serverId, ...(forgetClient ? { forgetClient: true } : {}) })).revoked));
  if (revoked !== undefined)
    return (
      <Dialog open onClose={onClose} title={<>Signed out of “<VisibleText text={name} />”</>} footer={<Button look="primary" onClick={onClose}>Close</Button>}>
        <p role="status" className="text-list text-ink-2"><VisibleText text={revokedWords[revoked](host)} /></p>
      </Dialog>
    );
  return (
    <Dialog
      open onClose={onClose} title={<>Sign out of “<VisibleText text={name} />”?</>}
      footer={
        <>
          <Button look="plain" onClick={onClose}>Stay signed in</Button>
          <Button look="danger" busy={state.phase === 'sending'} onClick={signOut}>Sign out</Button>
        </>
      }
    >
      <ul className="list-disc space-y-1 pl-5 text-list text-ink-2 marker:text-ink-3">
        <li>It is disconnected, and its tokens are deleted here.</li>
        <li>Gatehouse asks <VisibleText text={host} /> to take them back.</li>
        {login.sharedFrom === undefined ? null : <li>The server whose login it uses stays signed in.</li>}
      </ul>
      {login.clientFrom === 'typed' ? <div className="mt-3"><Checkbox checked={forgetClient} onChange={setForgetClient} label="Forget the client id that I entered, too" /></div> : null}
      {state.phase === 'failed' ? <div className="mt-3"><FailureNote error={state.error} compact context={{ server: name }} /></div> : null}
    </Dialog>
  );
}
