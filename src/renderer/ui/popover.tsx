import { Popover as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export function Popover({ trigger, label, open, onOpenChange, align = 'start', side = 'bottom', children }: {
  readonly trigger: ReactNode;
  readonly label: string;
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  readonly align?: 'start' | 'end';
  readonly side?: 'top' | 'bottom';
  readonly children: ReactNode;
}) {
  return (
    <Radix.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label} align={align} side={side} sideOffset={6} collisionPadding={12}
          className="z-50 max-h-(--radix-popover-content-available-height) max-w-100 animate-appear overflow-y-auto rounded-card border border-line bg-card p-3 text-list shadow-floating focus:outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
