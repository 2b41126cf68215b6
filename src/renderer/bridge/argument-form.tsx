import { useState, type FormEvent, type ReactNode } from 'react';
import type { ServerId } from '../../shared/ids.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { CompletedInput, type Completed } from './completed-input.tsx';

export interface FormArgument {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}

/** The arguments of a prompt or the variables of a template, as texts that the server may complete. What is left empty is left out. */
export function ArgumentForm({ serverId, of, args, submit, busy, extra, preview, onSubmit }: {
  readonly serverId: ServerId;
  readonly of: Completed;
  readonly args: readonly FormArgument[];
  /** The button's words. */
  readonly submit: string;
  readonly busy: boolean;
  readonly extra?: ReactNode;
  /** What is being made of the values, below the fields. */
  readonly preview?: (values: Readonly<Record<string, string>>) => ReactNode;
  readonly onSubmit: (values: Readonly<Record<string, string>>) => void;
}) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [tried, setTried] = useState(false);
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const missing = args.filter(({ name, required }) => required && (values[name] ?? '').trim() === '').map(({ name }) => name);
  const send = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (missing.length === 0 && !busy) onSubmit(given);
  };
  return (
    <form onSubmit={send} className="flex flex-col gap-3">
      {args.map(({ name, description, required }) => (
        <Field key={name} label={<VisibleText text={name} />} required={required} optional={!required} hint={description === undefined ? undefined : <VisibleText text={description} />} error={tried && missing.includes(name) ? 'This is needed.' : undefined}>
          {(parts) => (
            <CompletedInput
              parts={parts} name={name} serverId={serverId} of={of} value={values[name] ?? ''} others={Object.fromEntries(Object.entries(given).filter(([other]) => other !== name))}
              onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
            />
          )}
        </Field>
      ))}
      {preview?.(given)}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" look="primary" busy={busy}>{submit}</Button>
        {extra}
      </div>
    </form>
  );
}
