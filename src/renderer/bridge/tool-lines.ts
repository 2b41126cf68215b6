import { useEffect, useMemo, useState } from 'react';
import type { ServerId } from '../../shared/ids.ts';
import type { CatalogLines } from '../../shared/ipc/contract/catalog.ts';
import { api } from './api.ts';
import { useApp } from './live.ts';
import { useAsked, type Asked } from './request-state.ts';
import { useThrottled } from '../ui/use-throttled.ts';

/** Servers that connect together change the catalog many times a second; the list follows a few times. Milliseconds. */
const followMs = 400;
const typingMs = 120;
/** Counting goes over every definition that is new. Milliseconds. */
const costMs = 2_000;

/** What each server's usable tools would cost a model that is given them all, in tokens; an estimate, and absent where there is none. */
export function useToolCosts(): ReadonlyMap<ServerId, number> {
  const revision = useThrottled(
    useApp((state) => state.catalogRevision),
    costMs,
  );
  const asked = useAsked(`${revision ?? ''}`, (signal) => api.catalog.costs({}, signal));
  return useMemo(() => new Map(asked.phase === 'ready' ? asked.value.map(({ serverId, tokens }) => [serverId, tokens]) : []), [asked]);
}

/** The tools' lines, and anew whenever the catalog or the words change. What is on screen stays until its successor is here. */
export function useToolLines(text: string): { readonly wanted: string; readonly asked: Asked<CatalogLines> & { readonly again: () => void } } {
  const revision = useThrottled(
    useApp((state) => state.catalogRevision),
    followMs,
  );
  const wanted = useSettled(text.trim(), typingMs);
  return { wanted, asked: useAsked(`${revision ?? ''} ${wanted}`, (signal) => api.catalog.lines({ text: wanted }, signal)) };
}

/** The text once it has been left alone for a moment. */
function useSettled(text: string, ms: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    if (text === settled) return undefined;
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : ms);
    return () => clearTimeout(timer);
  }, [text, settled, ms]);
  return settled;
}
