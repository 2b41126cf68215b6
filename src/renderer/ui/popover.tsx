import { Popover as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export function Popover({ trigger, label, open, onOpenChange, align = 'start', side = 'bottom', focusInside = true, children }: {
  readonly trigger: ReactNode;
  readonly label: string;
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  readonly align?: 'start' | 'end';
  readonly side?: 'top' | 'bottom';
  /** Otherwise the popover itself takes the focus, not the first control in it. */
  readonly focusInside?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <Radix.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          onOpenAutoFocus={focusInside ? undefined : focusItself} aria-label={label} align={align} side={side} sideOffset={6} collisionPadding={12}
          className="z-50 max-h-(--radix-popover-content-available-height) max-w-100 animate-appear overflow-y-auto rounded-card border border-line bg-card p-3 text-list shadow-floating focus:outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function focusItself(event: Event): void {
  event.preventDefault();
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
}
