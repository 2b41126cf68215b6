import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { ServerId } from '../../shared/ids.ts';
import { api } from './api.ts';
import { describeError } from './errors.ts';
import { useRequest } from './request-state.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { answerOf } from './sign-in-answer.ts';

/** For a browser on another computer: what it shows at the end is brought here by hand (F-167). */
export function SignInByHand({ serverId, redirectUri }: { readonly serverId: ServerId; readonly redirectUri: string | undefined }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="flex flex-col gap-2">
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="-ml-1 flex w-fit items-center gap-1 rounded-control px-1 py-0.5 text-list text-ink-2 hover:text-ink">
        <ChevronRight size={14} strokeWidth={1.75} className={`text-ink-3 transition-transform ${open ? 'rotate-90' : ''}`} aria-hidden />
        I cannot reach this computer from my browser
      </button>
      {open ? <Answer serverId={serverId} redirectUri={redirectUri} /> : null}
    </div>
  );
}

function Answer({ serverId, redirectUri }: { readonly serverId: ServerId; readonly redirectUri: string | undefined }) {
  const [typed, setTyped] = useState('');
  const { state, run } = useRequest();
  const finish = () => {
    const given = answerOf(typed);
    if (given) run(() => api.auth.complete({ serverId, ...given }));
  };
  const problem = state.phase === 'failed' ? describeError(state.error.code).what : undefined;
  return (
    <form
      className="flex flex-col gap-2 border-l border-line-strong pl-4"
      onSubmit={(event) => {
        event.preventDefault();
        finish();
      }}
    >
      <Field
        label="Address or code from the browser"
        hint={<>Open the copied address on the other computer and say yes there. Its browser then goes to an address that it cannot open{redirectUri === undefined ? '' : `, beginning with ${redirectUri}`}. Copy all of that address, or the code alone, to here.</>}
        error={problem}
      >
        {(parts) => (
          <div className="flex gap-2">
            <Input {...parts} code value={typed} placeholder={redirectUri === undefined ? undefined : `${redirectUri}?code=…`} onChange={(event) => setTyped(event.target.value)} />
            <Button type="submit" disabled={answerOf(typed) === undefined} busy={state.phase === 'sending'}>
              Finish
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}
