import { useState } from 'react';
import { create } from 'zustand';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { api, RequestError } from './api.ts';
import { FailureNote } from './failure-note.tsx';

const useLink = create<{ readonly url: string | undefined }>(() => ({ url: undefined }));

/** A link never opens by itself: the person first sees where it goes. */
export const openLink = (url: string): void => useLink.setState({ url });

const partsOf = (url: string): { readonly before: string; readonly host: string; readonly after: string } | undefined => {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host, username } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  const { href } = new URL(url);
  const at = href.indexOf(host, protocol.length + 2 + (username ? username.length : 0));
  return { before: href.slice(0, at), host, after: href.slice(at + host.length) };
};

/** Stands once in the window and asks before a link leaves it. */
export function LinkDialog() {
  const url = useLink((state) => state.url);
  const [error, setError] = useState<RequestError>();
  const close = () => {
    setError(undefined);
    useLink.setState({ url: undefined });
  };
  const attempt = (work: Promise<unknown>) => void work.then(close, (thrown: unknown) => setError(RequestError.from(thrown)));
  const parts = url === undefined ? undefined : partsOf(url);
  return (
    <Dialog
      open={url !== undefined} onClose={close} title="Open this link in your browser?"
      description={parts ? 'It was written by a model or a server. This is where it goes:' : 'This link leads nowhere that a browser may go.'}
      footer={
        <>
          <Button look="plain" onClick={close}>Cancel</Button>
          <Button onClick={() => attempt(api.shell.copy({ text: url ?? '' }))}>Copy link</Button>
          {parts ? <Button look="primary" onClick={() => attempt(api.shell.openExternal({ url: url ?? '' }))}>Open {parts.host.length < 32 ? parts.host : 'link'}</Button> : null}
        </>
      }
    >
      <p className="max-h-40 overflow-y-auto rounded-control border border-line bg-sunken px-3 py-2 font-code text-code break-all text-ink-2 select-text">
        {parts ? <><VisibleText text={parts.before} /><strong className="font-semibold text-ink">{parts.host}</strong><VisibleText text={parts.after} /></> : <VisibleText text={url ?? ''} />}
      </p>
      {error ? <div className="mt-3"><FailureNote error={error} compact /></div> : null}
    </Dialog>
  );
}
