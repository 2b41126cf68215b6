import { Check } from 'lucide-react';
import { Checkbox as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useId } from 'react';

export function Checkbox({ checked, onChange, label, disabled = false }: {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly label: ReactNode;
  readonly disabled?: boolean;
}) {
  const id = useId();
  return (
    <div className="flex items-start gap-2 text-list">
      <Radix.Root
        id={id} checked={checked} disabled={disabled} onCheckedChange={(state) => onChange(state === true)}
        className="mt-0.5 inline-flex size-4 shrink-0 items-center justify-center rounded-[4px] border border-line-field bg-card transition-colors data-[state=checked]:border-accent data-[state=checked]:bg-accent disabled:opacity-50"
      >
        <Radix.Indicator><Check size={12} strokeWidth={3} className="text-accent-ink" aria-hidden /></Radix.Indicator>
      </Radix.Root>
      <label htmlFor={id} className="text-ink">{label}</label>
    </div>
  );
}
