import { LongText } from './long-text.tsx';
import { VisibleText } from './visible-text.tsx';

const shortJson = 96;
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const line = JSON.stringify(value) ?? 'undefined';
  return line.length <= shortJson ? line : (JSON.stringify(value, undefined, 2) ?? line);
}
/** What a value is, where its text does not say: a text "12" is not the number 12. */
const kindOf = (value: unknown): string | undefined => {
  if (value === '') return 'empty text';
  if (typeof value === 'string') return /^(true|false|null|-?[\d.]+)$/.test(value) ? 'text' : undefined;
  if (Array.isArray(value)) return value.length === 0 ? 'empty list' : undefined;
  return undefined;
};

/** Every argument, one row each, whole: what a person allows is what they can see here. */
export function ArgumentRows({ args }: { readonly args: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(args);
  if (entries.length === 0) return <p className="text-list text-ink-3">No arguments.</p>;
  return (
    <dl className="grid grid-cols-[minmax(64px,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-list">
      {entries.map(([name, value]) => (
        <div key={name} className="col-span-2 grid grid-cols-subgrid">
          <dt className="max-w-44 break-words text-ink-3"><VisibleText text={name} /></dt>
          <dd className="min-w-0 text-ink">
            {value === '' ? null : <LongText text={textOf(value)} lines={6} characters={300} />}
            {kindOf(value) ? <span className="text-detail text-ink-3">{kindOf(value)}</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}
