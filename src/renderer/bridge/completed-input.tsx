import clsx from 'clsx';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import type { ServerId } from '../../shared/ids.ts';
import type { FieldParts } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { api } from './api.ts';

export type Completed = { readonly prompt: string } | { readonly template: string };
/** What is asked of a server while one types waits this long for the next key. Milliseconds. */
const debounceMs = 150;
const most = 8;
const nothing: readonly string[] = [];

/** What the server suggests for a value that is being typed; nothing while it has not answered, and from a server that suggests nothing. */
export function useCompletion(wanted: { readonly serverId: ServerId; readonly of: Completed; readonly argument: string; readonly value: string; readonly others: Readonly<Record<string, string>> } | undefined): readonly string[] {
  const key = wanted === undefined ? '' : JSON.stringify(wanted);
  const [found, setFound] = useState<{ readonly key: string; readonly values: readonly string[] }>({ key: '', values: nothing });
  const latest = useRef(wanted);
  useEffect(() => {
    latest.current = wanted;
  });
  useEffect(() => {
    if (key === '') return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      const asked = latest.current;
      if (!asked || asked.value.length > 2000) return;
      // A suggestion that does not come is none: the field works without.
      api.prompts.complete({ ...asked, others: { ...asked.others } }, abort.signal).then(({ values }) => setFound({ key, values }), () => setFound({ key, values: nothing }));
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key]);
  return found.key === key ? found.values : nothing;
}

/** A field for one argument, with what the server suggests below it. Arrow keys mark, Enter takes, Escape closes. */
export function CompletedInput({ parts, name, serverId, of, value, others, onChange }: {
  readonly parts: FieldParts;
  readonly name: string;
  readonly serverId: ServerId;
  readonly of: Completed;
  readonly value: string;
  readonly others: Readonly<Record<string, string>>;
  readonly onChange: (value: string) => void;
}) {
  const listId = useId();
  const [open, setOpen] = useState(false);
  const [marked, setMarked] = useState(-1);
  const suggested = useCompletion(open ? { serverId, of, argument: name, value, others } : undefined).filter((one) => one !== value).slice(0, most);
  const shown = open && suggested.length > 0;
  const take = (text: string) => {
    onChange(text);
    setMarked(-1);
    setOpen(false);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = suggested[marked];
    if (!shown) {
      if (event.key === 'ArrowDown') setOpen(true);
      return;
    }
    if (step !== undefined) setMarked((marked + step + suggested.length) % suggested.length);
    else if (event.key === 'Enter' && chosen !== undefined) take(chosen);
    else if (event.key === 'Escape') setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="relative">
      <Input
        {...parts} value={value} role="combobox" aria-autocomplete="list" aria-expanded={shown} aria-controls={shown ? listId : undefined} aria-activedescendant={shown && marked >= 0 ? `${listId}-${marked}` : undefined}
        onChange={(event) => { onChange(event.currentTarget.value); setOpen(true); setMarked(-1); }} onFocus={() => setOpen(true)} onBlur={() => setOpen(false)} onKeyDown={press}
      />
      {shown ? (
        <ul id={listId} role="listbox" aria-label={`Suggestions for ${name}`} className="absolute inset-x-0 top-full z-20 mt-1 max-h-48 overflow-y-auto rounded-control border border-line bg-card p-1 shadow-floating">
          {suggested.map((one, index) => (
            <li
              key={one} id={`${listId}-${index}`} role="option" aria-selected={index === marked} onMouseMove={() => setMarked(index)} onMouseDown={(event) => { event.preventDefault(); take(one); }}
              className={clsx('truncate rounded-[5px] px-2 py-1 text-list text-ink', index === marked && 'bg-hover')}
            >
              <VisibleText text={one} />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
