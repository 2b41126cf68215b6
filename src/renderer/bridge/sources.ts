import { useMemo } from 'react';
import type { SourceView } from '../../shared/model/source.ts';
import { api } from './api.ts';
import { useApp } from './live.ts';
import { useAsked, type Asked } from './request-state.ts';

/** Every file that says what servers there are, asked again when one changes. */
export function useSources(): Asked<readonly SourceView[]> & { readonly again: () => void } {
  const revision = useApp((state) => state.configRevision) ?? 0;
  return useAsked(`sources ${revision}`, () => api.config.sources());
}

export type SourcesById = ReadonlyMap<string, SourceView>;
const none: readonly SourceView[] = [];
export function useSourcesById(): SourcesById {
  const asked = useSources();
  const views = asked.phase === 'ready' ? asked.value : none;
  return useMemo(() => new Map(views.map((view) => [view.id, view])), [views]);
}
