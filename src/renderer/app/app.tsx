import { useEffect } from 'react';
import { api } from '../bridge/api.ts';
import { useApp } from '../bridge/live.ts';
import { LinkDialog } from '../bridge/open-link.tsx';
import { usePlace } from '../bridge/place.ts';
import { useFirstStart } from '../features/set-up/first-start.ts';
import { SharedNotice } from '../features/set-up/shared-notice.tsx';
import { TrustBanner } from '../features/trust/trust-banner.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import { Announcer } from './announcer.tsx';
import { Crashed } from './crashed.tsx';
import { PageView } from './pages.tsx';
import { PaletteHost } from './palette-host.tsx';
import { useShortcuts } from './shortcuts.ts';
import { SideBar } from './side-bar.tsx';
import { useTheme } from './theme.ts';
import { useWarmUp } from './warm-up.ts';

export function App() {
  useTheme();
  useShortcuts();
  useInteractiveMark();
  useWarmUp();
  useFirstStart();
  const place = usePlace();
  return (
    <TooltipProvider>
      <a href="#main" onClick={skipToMain} className="fixed top-2 left-2 z-50 -translate-y-16 rounded-control border border-line bg-card px-3 py-1.5 text-list focus-visible:translate-y-0 focus-visible:shadow-floating">
        Skip to the page
      </a>
      <div className="flex h-full">
        <SideBar place={place} />
        <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col bg-pane focus-visible:outline-none">
          <TrustBanner />
          <SharedNotice place={place} />
          <Crashed key={place.page}><PageView place={place} /></Crashed>
        </main>
      </div>
      <PaletteHost />
      <LinkDialog />
      <Announcer />
    </TooltipProvider>
  );
}

/** `interactive` in the page's timings: what is drawn answers to keys and shows the app's own state. The benchmarks read it. */
function useInteractiveMark(): void {
  const ready = useApp(() => true) ?? false;
  useEffect(() => {
    if (!ready) return undefined;
    // After the frame that draws it.
    const frame = requestAnimationFrame(() =>
      setTimeout(() => {
        performance.mark('interactive');
        // Nobody waits for it, and servers start without it a little later.
        api.shell.interactive().catch(() => undefined);
      }),
    );
    return () => cancelAnimationFrame(frame);
  }, [ready]);
}

/** The hash holds the place, so the link moves focus by itself instead. */
function skipToMain(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
