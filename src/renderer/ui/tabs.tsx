import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export interface Tab<V extends string> {
  readonly value: V;
  readonly label: ReactNode;
  readonly count?: number | undefined;
  readonly content: () => ReactNode;
}

/** Only the open tab's content exists. */
export function Tabs<V extends string>({ value, onChange, tabs, name }: {
  readonly value: V;
  readonly onChange: (value: V) => void;
  readonly tabs: readonly Tab<V>[];
  readonly name: string;
}) {
  const choose = (chosen: string) => {
    const tab = tabs.find((one) => one.value === chosen);
    if (tab) onChange(tab.value);
  };
  return (
    <Radix.Root value={value} onValueChange={choose} className="flex min-h-0 flex-col">
      <Radix.List aria-label={name} className="flex shrink-0 gap-1 overflow-x-auto overflow-y-hidden border-b border-line [scrollbar-width:none]">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value} value={tab.value}
            className="-mb-px inline-flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-2 text-list text-ink-2 transition-colors hover:text-ink focus-visible:outline-offset-[-2px] data-[state=active]:border-accent data-[state=active]:font-[550] data-[state=active]:text-ink"
          >
            {tab.label}
            {tab.count === undefined ? null : <span className="text-detail font-normal text-ink-3">{tab.count}</span>}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="min-h-0 pt-4 focus-visible:outline-offset-4">
          {tab.value === value ? tab.content() : null}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
