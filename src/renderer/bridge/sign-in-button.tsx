import type { ServerRow } from '../../shared/state/app-state.ts';
import { signInNeed } from '../../shared/state/sign-in-need.ts';
import { Button, type ButtonLook } from '../ui/button.tsx';
import { RequestError } from './api.ts';
import { go } from './place.ts';
import { useRequest } from './request-state.ts';
import { wantedWords } from './sign-in-words.ts';
import { beginSignIn } from './use-sign-in.ts';

/** Signs in where that is wanted; leads to the server's page while a sign-in is under way or has failed. Nothing where neither is. */
export function SignInButton({ row, look = 'quiet', onError }: { readonly row: ServerRow; readonly look?: ButtonLook; readonly onError: (error: RequestError | undefined) => void }) {
  const { id: serverId, name } = row.definition;
  const { state, run } = useRequest();
  const need = row.signIn?.way === 'browser' ? signInNeed(row) : undefined;
  if (!need) return null;
  if (need.kind !== 'wanted') return <Button size="s" look={look} aria-label={`Show the sign-in to ${name}`} onClick={() => go({ page: 'servers', serverId })}>{need.kind === 'failed' ? 'See why' : 'Show'}</Button>;
  const { button } = wantedWords(need.wanted, name);
  const press = () => {
    onError(undefined);
    run(() => beginSignIn(serverId).catch((thrown: unknown) => onError(RequestError.from(thrown))));
  };
  return <Button size="s" look={look} busy={state.phase === 'sending'} aria-label={`${button}: ${name}`} onClick={press}>{button}</Button>;
}
