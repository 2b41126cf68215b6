import { Switch as Radix } from 'radix-ui';

/** On or off, at once. Named by a label's `htmlFor` or by `name`. */
export const Switch = ({ checked, onChange, name, ...rest }: {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly name?: string;
  readonly id?: string;
  readonly disabled?: boolean;
  readonly 'aria-describedby'?: string | undefined;
}) => (
  <Radix.Root
    {...rest} aria-label={name} checked={checked} onCheckedChange={onChange}
    className="inline-flex h-4.5 w-8 shrink-0 items-center rounded-full border border-line-field bg-sunken p-0.5 transition-colors data-[state=checked]:border-accent data-[state=checked]:bg-accent disabled:opacity-50"
  >
    <Radix.Thumb className="block size-3 rounded-full bg-ink-3 transition-transform data-[state=checked]:translate-x-3.5 data-[state=checked]:bg-accent-ink" />
  </Radix.Root>
);
