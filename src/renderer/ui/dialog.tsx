import clsx from 'clsx';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';
import { useReturnFocus } from './return-focus.ts';

/** For what cannot be undone or needs its own room. Focus stays inside and goes back where it came from. */
export function Dialog({ open, onClose, title, description, wide = false, footer, children }: {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly wide?: boolean;
  readonly footer?: ReactNode;
  readonly children?: ReactNode;
}) {
  const focus = useReturnFocus();
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-veil" />
        <Radix.Content
          onOpenAutoFocus={(event) => { focus.remember(); focusFirstField(event); }} onCloseAutoFocus={focus.giveBack} {...(description ? {} : { 'aria-describedby': undefined })}
          className={clsx(
            'fixed top-1/2 left-1/2 z-40 flex max-h-[calc(100vh-64px)] w-[calc(100vw-48px)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-bubble border border-line bg-card shadow-floating focus:outline-none',
            wide ? 'max-w-180' : 'max-w-112',
          )}
        >
          <div className="flex items-start gap-3 px-5 pt-4 pb-2">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-title font-semibold text-ink">{title}</Radix.Title>
              {description ? <Radix.Description className="mt-1 text-list text-ink-2">{description}</Radix.Description> : null}
            </div>
            <Radix.Close asChild><IconButton name="Close" size="s" icon={<X size={16} strokeWidth={1.75} />} /></Radix.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-2">{children}</div>
          {footer ? <div className="flex items-center justify-end gap-2 px-5 pt-3 pb-4">{footer}</div> : <div className="pb-2" />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The first thing to fill in, else the dialog itself: never a button that Enter would press. */
function focusFirstField(event: Event): void {
  event.preventDefault();
  const dialog = event.currentTarget;
  if (!(dialog instanceof HTMLElement)) return;
  (dialog.querySelector<HTMLElement>('input:not([disabled]), textarea:not([disabled])') ?? dialog).focus();
}
