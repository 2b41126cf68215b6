import { Plus, X } from 'lucide-react';
import { useRef, type ClipboardEvent, type KeyboardEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextArea } from '../../ui/input.tsx';
import { textRow, type TextRow } from './server-form-model.ts';

/**
 * Arguments, one to a row and exactly as the program gets them: nothing is split at spaces. Enter begins the next one, Shift+Enter a
 * new line in this one.
 */
export function ArgumentList({
  rows,
  onChange,
}: {
  readonly rows: readonly TextRow[];
  readonly onChange: (rows: readonly TextRow[]) => void;
}) {
  const group = useRef<HTMLFieldSetElement>(null);
  const focus = (index: number) => requestAnimationFrame(() => group.current?.querySelectorAll<HTMLElement>('textarea')[index]?.focus());
  const insert = (index: number, made: readonly TextRow[]) => {
    onChange([...rows.slice(0, index), ...made, ...rows.slice(index)]);
    focus(index + made.length - 1);
  };
  const remove = (index: number) => {
    onChange(rows.filter((_, at) => at !== index));
    if (rows.length > 1) focus(Math.max(0, index - 1));
    else requestAnimationFrame(() => group.current?.querySelector<HTMLElement>('[data-part=add]')?.focus());
  };
  const key = (event: KeyboardEvent, row: TextRow, index: number) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      insert(index + 1, [textRow('')]);
    } else if (event.key === 'Backspace' && row.text === '') {
      event.preventDefault();
      remove(index);
    }
  };
  const paste = (event: ClipboardEvent, row: TextRow, index: number) => {
    const lines = event.clipboardData
      .getData('text')
      .split(/\r?\n/)
      .filter((line) => line !== '');
    if (lines.length < 2 || row.text !== '') return;
    event.preventDefault();
    onChange([...rows.slice(0, index), ...lines.map(textRow), ...rows.slice(index + 1)]);
    focus(index + lines.length - 1);
  };
  return (
    <fieldset ref={group} className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1 flex items-baseline gap-2 text-list">
        <span className="font-[550] text-ink">Arguments</span>
        <span className="text-detail text-ink-3">optional</span>
      </legend>
      {rows.map((row, index) => (
        <div key={row.key} className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-1.5">
          {row.kept === undefined ? null : (
            <div className="flex min-h-8 min-w-0 items-center gap-2 rounded-control border border-line bg-sunken px-2.5 text-list text-ink-2">
              <span className="min-w-0 flex-1 truncate font-code text-code">{row.text}</span>
              <span className="shrink-0 text-detail text-ink-3">in the file, hidden</span>
              <button
                type="button"
                aria-label={`Replace argument ${index + 1}`}
                onClick={() => onChange(rows.map((one) => (one.key === row.key ? { key: row.key, text: '' } : one)))}
                className="shrink-0 rounded-control text-accent underline-offset-2 hover:underline"
              >
                Replace
              </button>
            </div>
          )}
          <TextArea
            hidden={row.kept !== undefined}
            code
            rows={1}
            className="min-h-8! resize-none!"
            aria-label={`Argument ${index + 1}`}
            spellCheck={false}
            value={row.text}
            onKeyDown={(event) => key(event, row, index)}
            onPaste={(event) => paste(event, row, index)}
            onChange={(event) => onChange(rows.map((one) => (one.key === row.key ? { ...one, text: event.currentTarget.value } : one)))}
          />
          <IconButton
            name={`Remove argument ${index + 1}`}
            icon={<X size={14} strokeWidth={1.75} aria-hidden />}
            onClick={() => remove(index)}
          />
        </div>
      ))}
      <Button
        size="s"
        data-part="add"
        className="self-start"
        icon={<Plus size={14} strokeWidth={1.75} aria-hidden />}
        onClick={() => insert(rows.length, [textRow('')])}
      >
        Add an argument
      </Button>
    </fieldset>
  );
}
