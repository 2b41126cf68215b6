import { useEffect } from 'react';
import type { AppState } from '../../shared/state/app-state.ts';
import { isComing } from '../bridge/connection-words.ts';
import { useApp } from '../bridge/live.ts';
import { inIdleMoments } from '../ui/idle.ts';
import { warmMarkdown } from '../ui/markdown.tsx';
import { clockText } from '../ui/time.ts';
import { warmFaces } from '../ui/warm-faces.ts';

/** Servers that start with the app begin a moment after the window answers. Milliseconds. */
const beginMs = 1_500;

/**
 * What only a first answer needs is loaded ahead, in idle moments. A page does not see that the machine is busy: while servers start it waits for them, unless the
 * person begins to write.
 */
export function useWarmUp(): void {
  const ready = useApp(() => true) ?? false;
  const starting = useApp(areStarting) ?? true;
  useEffect(() => {
    if (!ready || starting) return undefined;
    const timer = setTimeout(warmUp, beginMs);
    return () => clearTimeout(timer);
  }, [ready, starting]);
  useEffect(() => {
    document.addEventListener('keydown', warmUp, { once: true, passive: true });
    return () => document.removeEventListener('keydown', warmUp);
  }, []);
}

export const areStarting = ({ servers }: Pick<AppState, 'servers'>): boolean =>
  Object.values(servers).some(({ connection }) => isComing(connection));

let warm: Promise<void> | undefined;
function warmUp(): void {
  warm ??= inIdleMoments([() => clockText(0), ...warmFaces, warmMarkdown]).catch(() => undefined);
}
