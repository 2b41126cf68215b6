import { useCallback, useEffect, useRef, useState } from 'react';
import type { ServerId } from '../../../shared/ids.ts';
import type { CatalogTool } from '../../../shared/model/catalog.ts';
import { api, isCancelled, RequestError } from '../../bridge/api.ts';

const pageSize = 200;

export interface CatalogPages {
  /** One place for each tool; `null` until its page is here. */
  readonly tools: readonly (CatalogTool | null)[];
  readonly phase: 'loading' | 'ready';
  readonly error: RequestError | undefined;
  /** Asks for the page that holds this place, once. */
  readonly need: (index: number) => void;
  readonly again: () => void;
}
interface Wanted {
  readonly text: string;
  readonly serverId: ServerId | undefined;
  /** Changes when what the pages show may have changed. */
  readonly revision: number | undefined;
}

/** The catalog by pages, as far as it is looked at. What is on screen stays until its successor is here. */
export function useCatalogPages({ text, serverId, revision }: Wanted): CatalogPages {
  const [tools, setTools] = useState<readonly (CatalogTool | null)[]>([]);
  const [phase, setPhase] = useState<'loading' | 'ready'>('loading');
  const [error, setError] = useState<RequestError>();
  const [turn, setTurn] = useState(0);
  const current = useRef<{ readonly abort: AbortController; readonly asked: Set<number> }>(undefined);
  const ask = useRef<(page: number) => void>(() => undefined);

  useEffect(() => {
    const abort = new AbortController();
    const asked = new Set<number>();
    const askPage = (page: number) => {
      if (asked.has(page)) return;
      asked.add(page);
      const offset = page * pageSize;
      api.catalog.page({ text, offset, limit: pageSize, ...(serverId === undefined ? {} : { serverId }) }, abort.signal).then(
        (answer) => {
          if (abort.signal.aborted) return;
          setError(undefined);
          setPhase('ready');
          setTools((before) => {
            const kept = page === 0 ? [] : before;
            return Array.from({ length: answer.total }, (_, index) =>
              index >= offset && index < offset + pageSize ? (answer.tools[index - offset] ?? null) : (kept[index] ?? null),
            );
          });
        },
        (thrown: unknown) => {
          if (abort.signal.aborted || isCancelled(thrown)) return;
          asked.delete(page);
          setError(RequestError.from(thrown));
        },
      );
    };
    current.current = { abort, asked };
    ask.current = askPage;
    askPage(0);
    return () => abort.abort();
  }, [text, serverId, revision, turn]);

  const need = useCallback((index: number) => ask.current(Math.floor(index / pageSize)), []);
  const again = useCallback(() => setTurn((before) => before + 1), []);
  return { tools, phase, error, need, again };
}
