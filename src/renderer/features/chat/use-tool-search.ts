import { useEffect, useState } from 'react';
import type { CatalogPage } from '../../../shared/ipc/contract/catalog.ts';
import { api, isCancelled, RequestError } from '../../bridge/api.ts';
import { useApp } from '../../bridge/live.ts';

export type ToolSearch =
  | { readonly phase: 'idle' }
  /** `page` is the last answer, kept on screen so that nothing jumps while the next is on its way. */
  | { readonly phase: 'searching'; readonly page: CatalogPage | undefined }
  | { readonly phase: 'found'; readonly text: string; readonly page: CatalogPage }
  | { readonly phase: 'failed'; readonly error: RequestError };

const pauseMs = 140;
const most = 6;

/** The tools that fit what is typed. Earlier questions are aborted; a changed catalog asks again. */
export function useToolSearch(text: string, enabled: boolean): ToolSearch & { readonly again: () => void } {
  const [search, setSearch] = useState<ToolSearch>({ phase: 'idle' });
  const [turn, setTurn] = useState(0);
  const catalogRevision = useApp((state) => state.catalogRevision);
  const wanted = enabled ? text.trim() : '';
  useEffect(() => {
    if (wanted.length < 2) {
      setSearch({ phase: 'idle' });
      return undefined;
    }
    const abort = new AbortController();
    setSearch((before) => ({ phase: 'searching', page: before.phase === 'found' || before.phase === 'searching' ? before.page : undefined }));
    const timer = setTimeout(() => {
      api.catalog.search({ text: wanted.slice(0, 2000), limit: most }, abort.signal).then(
        (page) => setSearch({ phase: 'found', text: wanted, page }),
        (thrown: unknown) => (isCancelled(thrown) ? undefined : setSearch({ phase: 'failed', error: RequestError.from(thrown) })),
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [wanted, turn, catalogRevision]);
  return { ...search, again: () => setTurn((before) => before + 1) };
}

export const pageOf = (search: ToolSearch): CatalogPage | undefined => (search.phase === 'found' || search.phase === 'searching' ? search.page : undefined);
