import { useCallback, useEffect, useRef, useState } from 'react';
import { isCancelled, RequestError } from './api.ts';

export type RequestState = { readonly phase: 'idle' } | { readonly phase: 'sending' } | { readonly phase: 'failed'; readonly error: RequestError };

/** The state of what a button sends: "sending" from its own promise, an error to show, and no second press meanwhile. */
export function useRequest(): { readonly state: RequestState; readonly run: (work: () => Promise<unknown>) => void; readonly clear: () => void } {
  const [state, setState] = useState<RequestState>({ phase: 'idle' });
  const busy = useRef(false);
  const gone = useRef(false);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);
  const run = useCallback((work: () => Promise<unknown>) => {
    if (busy.current) return;
    busy.current = true;
    setState({ phase: 'sending' });
    const end = (next: RequestState) => {
      busy.current = false;
      if (!gone.current) setState(next);
    };
    work().then(
      () => end({ phase: 'idle' }),
      (thrown: unknown) => end(isCancelled(thrown) ? { phase: 'idle' } : { phase: 'failed', error: RequestError.from(thrown) }),
    );
  }, []);
  const clear = useCallback(() => setState({ phase: 'idle' }), []);
  return { state, run, clear };
}

export type Asked<T> = { readonly phase: 'loading' } | { readonly phase: 'ready'; readonly value: T } | { readonly phase: 'failed'; readonly error: RequestError };

/** Asks when `key` changes, aborts what is no longer wanted, and keeps the last answer on screen while the next one is on its way. */
export function useAsked<T>(key: string, ask: (signal: AbortSignal) => Promise<T>): Asked<T> & { readonly again: () => void } {
  const [asked, setAsked] = useState<Asked<T>>({ phase: 'loading' });
  const [turn, setTurn] = useState(0);
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  useEffect(() => {
    const abort = new AbortController();
    latest.current(abort.signal).then(
      (value) => (abort.signal.aborted ? undefined : setAsked({ phase: 'ready', value })),
      (thrown: unknown) => (abort.signal.aborted || isCancelled(thrown) ? undefined : setAsked({ phase: 'failed', error: RequestError.from(thrown) })),
    );
    return () => abort.abort();
  }, [key, turn]);
  const again = useCallback(() => setTurn((before) => before + 1), []);
  return { ...asked, again };
}
