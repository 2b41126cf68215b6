import { useEffect, useState } from 'react';
import type { CatalogPage } from '../../../shared/ipc/contract/catalog.ts';
import { api, isCancelled, RequestError } from '../../bridge/api.ts';
import { warmSchemaForm } from '../../ui/schema-form/schema-form.tsx';
import { useApp } from '../../bridge/live.ts';

export type ToolSearch =
  | { readonly phase: 'idle' }
  /** `page` is the last answer, kept on screen so that nothing jumps while the next is on its way. */
  | { readonly phase: 'searching'; readonly page: CatalogPage | undefined }
  | { readonly phase: 'found'; readonly page: CatalogPage }
  | { readonly phase: 'failed'; readonly error: RequestError };

interface Answer {
  /** What was asked: words, catalog and turn. */
  readonly key: string;
  readonly page: CatalogPage | undefined;
  readonly error: RequestError | undefined;
}
const pauseMs = 140;
const most = 6;

/** The tools that fit what is typed. Earlier questions are aborted; a changed catalog asks again. */
export function useToolSearch(text: string, enabled: boolean): ToolSearch & { readonly again: () => void } {
  const [answer, setAnswer] = useState<Answer>();
  const [turn, setTurn] = useState(0);
  const catalogRevision = useApp((state) => state.catalogRevision) ?? 0;
  const words = enabled ? text.trim().slice(0, 2000) : '';
  const wanted = words.length >= 2 ? words : '';
  const key = `${turn} ${catalogRevision} ${wanted}`;
  useEffect(() => {
    if (wanted === '') return undefined;
    warmSchemaForm();
    const abort = new AbortController();
    const timer = setTimeout(() => {
      api.catalog.search({ text: wanted, limit: most }, abort.signal).then(
        (page) => setAnswer({ key, page, error: undefined }),
        (thrown: unknown) => (isCancelled(thrown) ? undefined : setAnswer({ key, page: undefined, error: RequestError.from(thrown) })),
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [wanted, key]);
  return { ...searchOf(wanted, key, answer), again: () => setTurn((before) => before + 1) };
}

function searchOf(wanted: string, key: string, answer: Answer | undefined): ToolSearch {
  if (wanted === '') return { phase: 'idle' };
  if (answer?.key !== key) return { phase: 'searching', page: answer?.page };
  if (answer.page) return { phase: 'found', page: answer.page };
  return answer.error ? { phase: 'failed', error: answer.error } : { phase: 'searching', page: undefined };
}

export const pageOf = (search: ToolSearch): CatalogPage | undefined => (search.phase === 'found' || search.phase === 'searching' ? search.page : undefined);
