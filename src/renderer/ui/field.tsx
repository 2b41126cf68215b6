import { CircleAlert } from 'lucide-react';
import { useId, type ReactNode } from 'react';

export interface FieldParts {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-required': true | undefined;
}

/** A label, the control that `children` makes from its parts, a hint and what is wrong with it. The line for the error never moves the fields above it. */
export function Field({ label, hint, error, required = false, optional = false, aside, children }: {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly required?: boolean;
  /** Says "optional" beside the label, where most fields are required. */
  readonly optional?: boolean;
  readonly aside?: ReactNode;
  readonly children: (parts: FieldParts) => ReactNode;
}) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex items-baseline gap-2 text-list">
        <label htmlFor={id} className="min-w-0 font-[550] break-words text-ink">{label}</label>
        {required ? <span className="text-detail text-ink-3">required</span> : null}
        {optional ? <span className="text-detail text-ink-3">optional</span> : null}
        {aside ? <span className="ml-auto text-detail text-ink-3">{aside}</span> : null}
      </div>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined, 'aria-required': required || undefined })}
      {hint ? <p id={`${id}-hint`} className="text-detail break-words text-ink-3">{hint}</p> : null}
      {error ? (
        <p id={`${id}-error`} className="flex items-start gap-1 text-detail text-bad">
          <CircleAlert size={12} className="mt-0.5 shrink-0" aria-hidden />{error}
        </p>
      ) : null}
    </div>
  );
}
