import clsx from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { Spinner } from './spinner.tsx';

export type ButtonLook = 'primary' | 'quiet' | 'plain' | 'danger';
const looks: Readonly<Record<ButtonLook, string>> = {
  primary: 'border-accent bg-accent text-accent-ink hover:border-accent-strong hover:bg-accent-strong',
  quiet: 'border-line-strong bg-card text-ink shadow-card hover:bg-[linear-gradient(var(--hover),var(--hover))] active:bg-[linear-gradient(var(--pressed),var(--pressed))]',
  plain: 'border-transparent bg-transparent text-ink-2 hover:bg-hover hover:text-ink active:bg-pressed',
  danger: 'border-line-strong bg-card text-bad shadow-card hover:border-bad-line hover:bg-bad-soft',
};
const sizes = { s: 'h-7 px-2.5 gap-1.5', m: 'h-8 px-3 gap-2' } as const;

export type ButtonProps = ComponentProps<'button'> & {
  readonly look?: ButtonLook;
  readonly size?: 's' | 'm';
  /** Shows that its work goes on and ignores presses until it ends; keeps its width. */
  readonly busy?: boolean;
  readonly icon?: ReactNode;
};

/** Never submits a form unless `type="submit"` says so. */
export function Button({ look = 'quiet', size = 'm', busy = false, icon, className, children, disabled, onClick, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={clsx(
        'inline-flex shrink-0 items-center justify-center rounded-control border text-list font-[550] leading-none whitespace-nowrap transition-colors',
        'disabled:pointer-events-none disabled:opacity-45', looks[look], sizes[size], busy && 'opacity-80', className,
      )}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}
