import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { VisibleText } from './visible-text.tsx';

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;
const entriesOf = (value: object): readonly (readonly [string, unknown])[] => (Array.isArray(value) ? value.map((item, index) => [String(index), item] as const) : Object.entries(value));
const page = 100;
const longText = 400;

/** Any JSON value, to be opened branch by branch; long ones come a hundred at a time. */
export function JsonTree({ value, openTo = 1 }: { readonly value: unknown; readonly openTo?: number }) {
  return (
    <div className="font-code text-code text-ink select-text">
      {isBranch(value) ? <Children value={value} depth={0} openTo={openTo} /> : <Leaf value={value} />}
    </div>
  );
}

function Children({ value, depth, openTo }: { readonly value: object; readonly depth: number; readonly openTo: number }) {
  const [shown, setShown] = useState(page);
  const entries = entriesOf(value);
  if (entries.length === 0) return <span className="text-ink-3">{Array.isArray(value) ? 'empty list' : 'empty object'}</span>;
  return (
    <ul className={depth === 0 ? undefined : 'ml-1.5 border-l border-line pl-3'}>
      {entries.slice(0, shown).map(([name, child]) => <Branch key={name} name={name} value={child} depth={depth} openTo={openTo} isItem={Array.isArray(value)} />)}
      {entries.length > shown ? (
        <li><button type="button" className="rounded-control text-detail text-accent underline-offset-2 hover:underline" onClick={() => setShown(shown + page)}>
          Show {Math.min(page, entries.length - shown)} more of {entries.length.toLocaleString('en-US')}
        </button></li>
      ) : null}
    </ul>
  );
}

function Branch({ name, value, depth, openTo, isItem }: { readonly name: string; readonly value: unknown; readonly depth: number; readonly openTo: number; readonly isItem: boolean }) {
  const [open, setOpen] = useState(depth < openTo);
  const id = useId();
  const label = <span className={isItem ? 'text-ink-3' : 'text-(--code-name)'}><VisibleText text={name} /></span>;
  if (!isBranch(value)) return <li className="flex gap-2 py-px pl-4"><span className="shrink-0">{label}</span><Leaf value={value} /></li>;
  const size = entriesOf(value).length;
  return (
    <li className="py-px">
      <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)} className="-ml-0.5 flex items-center gap-1 rounded-control pr-1 text-left hover:bg-hover">
        <ChevronRight size={12} className={`shrink-0 text-ink-3 transition-transform ${open ? 'rotate-90' : ''}`} aria-hidden />
        {label}
        <span className="text-detail text-ink-3">{Array.isArray(value) ? `${size} ${size === 1 ? 'item' : 'items'}` : `${size} ${size === 1 ? 'field' : 'fields'}`}</span>
      </button>
      <div id={id}>{open ? <Children value={value} depth={depth + 1} openTo={openTo} /> : null}</div>
    </li>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  const [whole, setWhole] = useState(false);
  if (typeof value === 'string') {
    const cut = !whole && value.length > longText;
    return (
      <span className="min-w-0 break-words whitespace-pre-wrap text-(--code-string)">
        <VisibleText text={cut ? value.slice(0, longText) : value} />
        {cut ? <button type="button" className="ml-1 rounded-control font-text text-detail text-accent underline-offset-2 hover:underline" onClick={() => setWhole(true)}>… show all {value.length.toLocaleString('en-US')} characters</button> : null}
      </span>
    );
  }
  if (typeof value === 'number') return <span className="text-(--code-number)">{String(value)}</span>;
  return <span className="text-(--code-keyword)">{JSON.stringify(value) ?? '–'}</span>;
}
