import { useState } from 'react';
import { VisibleText } from './visible-text.tsx';

type Row = Readonly<Record<string, unknown>>;
const isPlain = (value: unknown): boolean => value === null || ['string', 'number', 'boolean'].includes(typeof value);

/** Rows and columns of a list of flat objects; `undefined` when it is something else. */
export function tableOf(value: unknown): { readonly columns: readonly string[]; readonly rows: readonly Row[] } | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const rows = value.filter((row): row is Row => typeof row === 'object' && row !== null && !Array.isArray(row));
  if (rows.length !== value.length) return undefined;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0 || columns.length > 8) return undefined;
  const flat = rows.every((row) => Object.values(row).every(isPlain));
  return flat ? { columns, rows } : undefined;
}

const page = 20;
const textOf = (value: unknown): string => (value === undefined || value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value));

export function Table({ columns, rows, name }: { readonly columns: readonly string[]; readonly rows: readonly Row[]; readonly name: string }) {
  const [shown, setShown] = useState(page);
  return (
    <div className="overflow-hidden rounded-card border border-line bg-card">
      <div className="max-h-112 overflow-auto" tabIndex={0} role="group" aria-label={name}>
        <table className="w-full border-collapse text-list select-text">
          <thead>
            <tr>{columns.map((column) => <th key={column} scope="col" className="sticky top-0 border-b border-line bg-sunken px-3 py-1.5 text-left text-detail font-[550] text-ink-2"><VisibleText text={column} /></th>)}</tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row, index) => (
              <tr key={index} className="border-t border-line first:border-t-0">
                {columns.map((column) => (
                  <td key={column} className={`px-3 py-1.5 align-top break-words ${typeof row[column] === 'number' ? 'text-right' : ''}`}><VisibleText text={textOf(row[column]).slice(0, 2000)} /></td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > shown ? <button type="button" onClick={() => setShown(shown + 200)} className="w-full border-t border-line px-3 py-1.5 text-left text-detail text-accent hover:bg-hover">Show more of {rows.length.toLocaleString('en-US')} rows</button> : null}
    </div>
  );
}
