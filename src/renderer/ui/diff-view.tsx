import clsx from 'clsx';
import { VirtualList } from './virtual-list.tsx';
import { VisibleText } from './visible-text.tsx';

export interface DiffLine {
  readonly kind: 'added' | 'gone' | 'same' | 'place';
  readonly text: string;
}

/** A unified diff line by line, without the heading that names its file: that is said above it. */
export function diffLines(diff: string): readonly DiffLine[] {
  const lines = diff.replace(/\n$/, '').split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  if (first < 0) return [];
  return lines.slice(first).flatMap((line): readonly DiffLine[] => {
    if (line.startsWith('\\')) return [{ kind: 'place', text: line.slice(1).trim() }];
    if (line.startsWith('@@')) return [{ kind: 'place', text: line }];
    return [{ kind: line.startsWith('+') ? 'added' : line.startsWith('-') ? 'gone' : 'same', text: line.slice(1) }];
  });
}

const looks = { added: 'bg-ok-soft text-ink', gone: 'bg-bad-soft text-ink', same: 'text-ink-2', place: 'bg-sunken text-ink-3' } as const;
const signs = { added: '+', gone: '−', same: ' ', place: ' ' } as const;
const spoken = { added: 'added: ', gone: 'taken out: ', same: '', place: '' } as const;
const manyLines = 400;

/** What a file will say instead: lines that come and go. */
export function DiffView({
  diff,
  name,
  maxHeight = 'max-h-96',
}: {
  readonly diff: string;
  readonly name: string;
  readonly maxHeight?: string;
}) {
  const lines = diffLines(diff);
  if (lines.length > manyLines) {
    return (
      <div className="overflow-hidden rounded-card border border-line bg-card">
        <VirtualList
          items={lines}
          name={name}
          estimate={19}
          className={clsx('h-96', maxHeight)}
          keyOf={(_, index) => String(index)}
          renderItem={(line) => <Line line={line} />}
        />
      </div>
    );
  }
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={name}
      className={clsx('overflow-auto rounded-card border border-line bg-card py-1 select-text', maxHeight)}
    >
      {lines.length === 0 ? (
        <p className="px-3 py-2 text-list text-ink-3">Nothing changes.</p>
      ) : (
        lines.map((line, index) => <Line key={index} line={line} />)
      )}
    </div>
  );
}

const Line = ({ line: { kind, text } }: { readonly line: DiffLine }) => (
  <div className={clsx('flex gap-2 px-3 font-code text-code', looks[kind])}>
    <span className={clsx('w-3 shrink-0 text-center select-none', kind === 'added' ? 'text-ok' : 'text-bad')} aria-hidden>
      {signs[kind]}
    </span>
    <span className="min-w-0 break-words whitespace-pre-wrap">
      <span className="sr-only">{spoken[kind]}</span>
      <VisibleText text={text} />
    </span>
  </div>
);
