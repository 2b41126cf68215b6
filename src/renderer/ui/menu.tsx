import clsx from 'clsx';
import { Check } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { KeyHint } from './key-hint.tsx';

export type MenuEntry =
  | 'line'
  | { readonly heading: string }
  | {
      readonly label: ReactNode;
      readonly onSelect: () => void;
      readonly icon?: ReactNode;
      readonly hint?: ReactNode;
      readonly keys?: string;
      readonly danger?: boolean;
      readonly disabled?: boolean;
      readonly checked?: boolean;
    };

/** What can be done to one thing, behind `trigger` (a Button or an IconButton). */
export function Menu({ trigger, entries, align = 'end', side = 'bottom' }: {
  readonly trigger: ReactNode;
  readonly entries: readonly MenuEntry[];
  readonly align?: 'start' | 'end';
  readonly side?: 'top' | 'bottom';
}) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align} side={side} sideOffset={4} collisionPadding={8}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) max-w-90 min-w-44 animate-appear overflow-y-auto rounded-card border border-line bg-card p-1 shadow-floating"
        >
          {entries.map((entry, index) => <MenuRow key={index} entry={entry} />)}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function MenuRow({ entry }: { readonly entry: MenuEntry }) {
  if (entry === 'line') return <Radix.Separator className="mx-1 my-1 h-px bg-line" />;
  if ('heading' in entry) return <Radix.Label className="px-2 pt-2 pb-1 text-detail text-ink-3">{entry.heading}</Radix.Label>;
  return (
    <Radix.Item
      onSelect={entry.onSelect} {...(entry.disabled ? { disabled: true } : {})} {...(entry.checked === undefined ? {} : { role: 'menuitemradio', 'aria-checked': entry.checked })}
      className={clsx(
        'flex min-h-7 items-center gap-2 rounded-control px-2 py-1 text-list outline-none select-none data-[disabled]:opacity-45',
        entry.danger ? 'text-bad data-[highlighted]:bg-bad-soft' : 'text-ink data-[highlighted]:bg-hover',
      )}
    >
      {entry.checked === undefined ? null : <span className="inline-flex w-4 shrink-0">{entry.checked ? <Check size={14} className="text-accent" aria-hidden /> : null}</span>}
      {entry.icon ? <span className="inline-flex w-4 shrink-0 text-ink-3" aria-hidden>{entry.icon}</span> : null}
      <span className="min-w-0 flex-1 truncate">{entry.label}</span>
      {entry.hint ? <span className="pl-3 text-detail text-ink-3">{entry.hint}</span> : null}
      {entry.keys ? <KeyHint keys={entry.keys} /> : null}
    </Radix.Item>
  );
}
