import clsx from 'clsx';
import { ToggleGroup } from 'radix-ui';
import type { ReactNode } from 'react';

/** One of two to four, all in sight. */
export function Segmented<V extends string>({ value, options, onChange, name }: {
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: ReactNode }[];
  readonly onChange: (value: V) => void;
  readonly name: string;
}) {
  const choose = (chosen: string) => {
    const option = options.find((one) => one.value === chosen); // pressing the chosen one again changes nothing
    if (option) onChange(option.value);
  };
  return (
    <ToggleGroup.Root type="single" value={value} onValueChange={choose} aria-label={name} className="inline-flex w-fit gap-0.5 rounded-control border border-line bg-sunken p-0.5">
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value} value={option.value}
          className={clsx(
            'inline-flex h-6 items-center gap-1.5 rounded-[5px] px-2.5 text-list text-ink-2 transition-colors hover:text-ink',
            'data-[state=on]:bg-card data-[state=on]:font-[550] data-[state=on]:text-ink data-[state=on]:shadow-card data-[state=on]:ring-1 data-[state=on]:ring-line',
          )}
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
