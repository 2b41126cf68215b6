import clsx from 'clsx';
import { RadioGroup } from 'radix-ui';
import { useId, type ReactNode } from 'react';

export interface RadioCard<V extends string> {
  readonly value: V;
  readonly label: ReactNode;
  readonly means: ReactNode;
}

/** One of a few, each with what it means. */
export function RadioCards<V extends string>({
  value,
  options,
  onChange,
  name,
}: {
  readonly value: V;
  readonly options: readonly RadioCard<V>[];
  readonly onChange: (value: V) => void;
  readonly name: string;
}) {
  const id = useId();
  const choose = (chosen: string) => {
    const option = options.find((one) => one.value === chosen);
    if (option) onChange(option.value);
  };
  return (
    <RadioGroup.Root
      value={value}
      onValueChange={choose}
      aria-label={name}
      className="flex flex-col divide-y divide-line overflow-hidden rounded-card border border-line bg-card"
    >
      {options.map((option) => (
        <div
          key={option.value}
          className={clsx(
            'relative flex items-start gap-3 px-4 py-3 transition-colors',
            option.value === value ? 'bg-accent-soft/45' : 'hover:bg-hover',
          )}
        >
          <RadioGroup.Item
            id={`${id}-${option.value}`}
            value={option.value}
            aria-describedby={`${id}-${option.value}-means`}
            className={clsx(
              'mt-0.5 inline-flex size-4 shrink-0 items-center justify-center rounded-full border border-line-field bg-card',
              'transition-colors after:absolute after:inset-0 data-[state=checked]:border-accent',
            )}
          >
            <RadioGroup.Indicator className="size-2 rounded-full bg-accent" />
          </RadioGroup.Item>
          <div className="min-w-0 text-list">
            <label htmlFor={`${id}-${option.value}`} className="font-[550] text-ink">
              {option.label}
            </label>
            <p id={`${id}-${option.value}-means`} className="text-ink-2">
              {option.means}
            </p>
          </div>
        </div>
      ))}
    </RadioGroup.Root>
  );
}
