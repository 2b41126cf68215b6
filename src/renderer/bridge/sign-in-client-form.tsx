import { useState } from 'react';
import type { ServerId } from '../../shared/ids.ts';
import type { SignInFlow } from '../../shared/model/sign-in.ts';
import { api } from './api.ts';
import { FailureNote } from './failure-note.tsx';
import { useRequest } from './request-state.ts';
import { providerHost } from './sign-in-words.ts';
import { beginSignIn } from './use-sign-in.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { Code } from './fact-list.tsx';

/** The provider registers no app by itself: the person does it there, and brings what it gave (O26). */
export function SignInClientForm({ serverId, server, flow }: { readonly serverId: ServerId; readonly server: string; readonly flow: SignInFlow }) {
  const [clientId, setClientId] = useState('');
  const [clientSecret, setClientSecret] = useState('');
  const { state, run } = useRequest();
  const save = () =>
    run(async () => {
      await api.auth.setClient({ serverId, clientId: clientId.trim(), ...(clientSecret === '' ? {} : { clientSecret }) });
      setClientSecret('');
      await beginSignIn(serverId);
    });
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (clientId.trim() !== '') save();
      }}
    >
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1">
        {flow.issuer === undefined ? null : (
          <>
            <dt className="text-ink-2">Provider</dt>
            <dd>
              <Code text={flow.issuer} copy={flow.issuer} copyName="Copy the provider’s address" />
            </dd>
          </>
        )}
        {flow.redirectUri === undefined ? null : (
          <>
            <dt className="text-ink-2">Redirect address</dt>
            <dd>
              <Code text={flow.redirectUri} copy={flow.redirectUri} copyName="Copy the redirect address" />
            </dd>
          </>
        )}
      </dl>
      <Field label="Client id" required hint={flow.issuer === undefined ? undefined : <>As <VisibleText text={providerHost(flow.issuer)} /> shows it after you registered Gatehouse there.</>}>
        {(parts) => <Input {...parts} code value={clientId} onChange={(event) => setClientId(event.target.value)} />}
      </Field>
      <Field label="Client secret" optional hint="Only if it gave you one. It is kept in the vault and never shown.">
        {(parts) => <Input {...parts} code type="password" value={clientSecret} onChange={(event) => setClientSecret(event.target.value)} />}
      </Field>
      {state.phase === 'failed' ? <FailureNote error={state.error} compact context={{ server }} /> : null}
      <Button type="submit" look="primary" size="s" className="w-fit" disabled={clientId.trim() === ''} busy={state.phase === 'sending'}>
        Save and sign in
      </Button>
    </form>
  );
}
