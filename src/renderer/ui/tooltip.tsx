import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { KeyHint } from './key-hint.tsx';

export const TooltipProvider = ({ children }: { readonly children: ReactNode }) => <Radix.Provider delayDuration={500} skipDelayDuration={200}>{children}</Radix.Provider>;

/** A name or a short remark. Nothing that a person needs lives only here. */
export function Tooltip({ text, keys, side = 'bottom', children }: {
  readonly text: ReactNode;
  readonly keys?: string | undefined;
  readonly side?: 'top' | 'right' | 'bottom' | 'left';
  readonly children: ReactNode;
}) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side} sideOffset={6} collisionPadding={8}
          className="z-50 flex max-w-80 animate-appear items-center gap-2 rounded-control border border-line bg-card px-2 py-1 text-detail text-ink shadow-lifted"
        >
          {text}
          {keys ? <KeyHint keys={keys} /> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
