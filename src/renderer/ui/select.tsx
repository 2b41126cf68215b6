import clsx from 'clsx';
import { Check, ChevronDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export interface SelectOption<V extends string> {
  readonly value: V;
  readonly label: ReactNode;
  readonly hint?: string;
}

/** One of a few. `value` undefined shows the placeholder. An option's value is never empty (a rule of Radix). */
export function Select<V extends string>({ value, options, onChange, placeholder = 'Choose…', name, id, size = 'm', className, disabled, ...aria }: {
  readonly value: V | undefined;
  readonly options: readonly SelectOption<V>[];
  readonly onChange: (value: V) => void;
  readonly placeholder?: string;
  /** For screen readers, when no label names it. */
  readonly name?: string;
  readonly id?: string;
  readonly size?: 's' | 'm';
  readonly className?: string;
  readonly disabled?: boolean;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-invalid'?: true | undefined;
  readonly 'aria-required'?: true | undefined;
}) {
  const choose = (chosen: string) => {
    const option = options.find((one) => one.value === chosen);
    if (option) onChange(option.value);
  };
  return (
    <Radix.Root value={value ?? ''} onValueChange={choose} {...(disabled === undefined ? {} : { disabled })}>
      <Radix.Trigger
        {...aria} id={id} aria-label={name}
        className={clsx(
          'inline-flex min-w-0 items-center justify-between gap-2 rounded-control border border-line-field bg-card px-2.5 text-left text-list text-ink transition-colors hover:border-ink-3',
          'aria-invalid:border-bad data-[placeholder]:text-ink-3 disabled:opacity-50', size === 's' ? 'h-7' : 'h-8', className,
        )}
      >
        <span className="truncate"><Radix.Value placeholder={placeholder} /></span>
        <ChevronDown size={14} className="shrink-0 text-ink-3" aria-hidden />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content position="popper" sideOffset={4} collisionPadding={8} className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) animate-appear overflow-hidden rounded-card border border-line bg-card shadow-floating">
          <Radix.Viewport className="p-1">
            {options.map((option) => (
              <Radix.Item
                key={option.value} value={option.value}
                className="flex min-h-7 items-center gap-2 rounded-control py-1 pr-2 pl-7 text-list text-ink outline-none select-none data-[highlighted]:bg-hover"
              >
                <Radix.ItemIndicator className="absolute left-3"><Check size={14} className="text-accent" aria-hidden /></Radix.ItemIndicator>
                <Radix.ItemText>{option.label}</Radix.ItemText>
                {option.hint ? <span className="ml-auto pl-4 text-detail text-ink-3">{option.hint}</span> : null}
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
