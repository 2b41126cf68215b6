import clsx from 'clsx';
import type { ComponentProps } from 'react';

const control =
  'w-full min-w-0 scroll-my-10 rounded-control border border-line-field bg-card text-list text-ink transition-[border-color,box-shadow] hover:border-ink-3 ' +
  'focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 aria-invalid:border-bad disabled:opacity-50';

export const Input = ({ className, code = false, ...rest }: ComponentProps<'input'> & { readonly code?: boolean }) => (
  <input spellCheck={false} autoComplete="off" {...rest} className={clsx(control, 'h-8 px-2.5', code && 'font-code text-code', className)} />
);

/** Grows with its text up to `max-h`. */
export const TextArea = ({ className, code = false, ...rest }: ComponentProps<'textarea'> & { readonly code?: boolean }) => (
  <textarea {...rest} className={clsx(control, 'field-sizing-content max-h-80 min-h-16 resize-y px-2.5 py-1.5', code && 'font-code text-code', className)} />
);
