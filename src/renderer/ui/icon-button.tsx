import clsx from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { Tooltip } from './tooltip.tsx';

export type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> & {
  /** Read by screen readers and shown on hover: an icon never stands without a name. */
  readonly name: string;
  readonly icon: ReactNode;
  readonly size?: 's' | 'm';
  readonly keys?: string;
};

export function IconButton({ name, icon, size = 'm', keys, className, type = 'button', ...rest }: IconButtonProps) {
  return (
    <Tooltip text={name} keys={keys}>
      <button
        {...rest}
        type={type}
        aria-label={name}
        className={clsx(
          'inline-flex shrink-0 items-center justify-center rounded-control text-ink-2 transition-colors hover:bg-hover hover:text-ink active:bg-pressed',
          'aria-expanded:bg-hover data-[state=open]:bg-hover disabled:pointer-events-none disabled:opacity-45', size === 's' ? 'size-6' : 'size-8', className,
        )}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
