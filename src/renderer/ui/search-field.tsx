import clsx from 'clsx';
import { Search, X } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from './icon-button.tsx';
import { Input } from './input.tsx';

/** Filters what stands below it while one types; Esc empties it. */
export function SearchField({
  value,
  onChange,
  name,
  placeholder,
  className,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly name: string;
  readonly placeholder?: string;
  readonly className?: string;
}) {
  const input = useRef<HTMLInputElement>(null);
  const clear = () => {
    onChange('');
    input.current?.focus();
  };
  return (
    <div role="search" className={clsx('relative', className)}>
      <Search
        size={14}
        strokeWidth={1.75}
        className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3"
        aria-hidden
      />
      <Input
        ref={input}
        value={value}
        aria-label={name}
        placeholder={placeholder ?? name}
        className="pr-8 pl-8"
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return;
          event.preventDefault();
          event.stopPropagation();
          onChange('');
        }}
      />
      {value === '' ? null : (
        <IconButton
          size="s"
          name="Empty the search"
          icon={<X size={14} strokeWidth={1.75} />}
          onClick={clear}
          className="absolute top-1/2 right-1 -translate-y-1/2"
        />
      )}
    </div>
  );
}
