import clsx from 'clsx';
import { CircleAlert, Lock, LockOpen, Plus, X } from 'lucide-react';
import { useRef, type ClipboardEvent } from 'react';
import { looksSecret } from '../../../shared/text/looks-secret.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Input } from '../../ui/input.tsx';
import { readPairs } from './read-pairs.ts';
import { valueRow, type Problems, type ValueRow } from './server-form-model.ts';

const icon = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const;
const words = {
  env: {
    heading: 'Environment',
    one: 'variable',
    name: 'Name',
    example: 'NAME',
    add: 'Add a variable',
    hint: 'Beside those that it inherits from you. Paste lines of an .env file to add several.',
  },
  headers: {
    heading: 'Headers',
    one: 'header',
    name: 'Header',
    example: 'Authorization',
    add: 'Add a header',
    hint: 'Sent with every request. Paste lines of “Name: value” to add several.',
  },
} as const;

/** Variables or headers. A secret one is typed once, goes to the vault, and is only ever replaced. */
export function ValueRows({
  kind,
  rows,
  problems,
  onChange,
}: {
  readonly kind: 'env' | 'headers';
  readonly rows: readonly ValueRow[];
  readonly problems: Problems;
  readonly onChange: (rows: readonly ValueRow[]) => void;
}) {
  const say = words[kind];
  const group = useRef<HTMLFieldSetElement>(null);
  const change = (key: number, next: ValueRow) => onChange(rows.map((row) => (row.key === key ? next : row)));
  const focus = (selector: string) =>
    requestAnimationFrame(() => [...(group.current?.querySelectorAll<HTMLElement>(selector) ?? [])].at(-1)?.focus());
  const add = () => {
    onChange([...rows, valueRow()]);
    focus('[data-part=name]');
  };
  const remove = (row: ValueRow) => {
    onChange(rows.filter((one) => one.key !== row.key));
    focus('[data-part=add]');
  };
  const paste = (event: ClipboardEvent, row: ValueRow) => {
    const pairs = readPairs(event.clipboardData.getData('text'), kind);
    if (!pairs) return;
    event.preventDefault();
    const made = pairs.map(({ name, value }) => valueRow(name, value));
    onChange(rows.flatMap((one) => (one.key !== row.key ? [one] : one.name === '' && one.value === '' ? made : [one, ...made])));
    focus('[data-part=value]');
  };
  return (
    <fieldset ref={group} className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 flex items-baseline gap-2 text-list">
        <span className="font-[550] text-ink">{say.heading}</span>
        <span className="text-detail text-ink-3">optional</span>
      </legend>
      {rows.map((row) => (
        <OneValue
          key={row.key}
          kind={kind}
          row={row}
          problem={problems[`${kind}:${row.key}`]}
          onChange={(next) => change(row.key, next)}
          onRemove={() => remove(row)}
          onPaste={(event) => paste(event, row)}
        />
      ))}
      <div className="flex min-w-0 items-center gap-3">
        <Button size="s" data-part="add" icon={<Plus {...icon} />} onClick={add}>
          {say.add}
        </Button>
        <p className="min-w-0 text-detail text-ink-3">{say.hint}</p>
      </div>
    </fieldset>
  );
}

function OneValue({
  kind,
  row,
  problem,
  onChange,
  onRemove,
  onPaste,
}: {
  readonly kind: 'env' | 'headers';
  readonly row: ValueRow;
  readonly problem: string | undefined;
  readonly onChange: (row: ValueRow) => void;
  readonly onRemove: () => void;
  readonly onPaste: (event: ClipboardEvent) => void;
}) {
  const say = words[kind];
  const forced = looksSecret(row.name);
  const called = row.name.trim() === '' ? `this ${say.one}` : row.name.trim();
  const errorId = `${kind}-${row.key}-problem`;
  const invalid = problem ? { 'aria-invalid': true as const, 'aria-describedby': errorId } : {};
  const rename = (name: string) =>
    onChange({ ...row, name, secret: row.kept !== undefined || looksSecret(name) || (row.secret && !looksSecret(row.name)) });
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto_auto] items-center gap-1.5">
        <Input
          {...invalid}
          code
          data-part="name"
          aria-label={say.name}
          placeholder={say.example}
          value={row.name}
          onChange={(event) => rename(event.currentTarget.value)}
          onPaste={onPaste}
        />
        {row.kept !== undefined ? (
          <div className="flex h-8 min-w-0 items-center gap-2 rounded-control border border-line bg-sunken px-2.5 text-list text-ink-2">
            <Lock {...icon} className="shrink-0 text-ink-3" />
            <span className="min-w-0 flex-1 truncate">•••••• saved in the vault</span>
            <button
              type="button"
              data-part="value"
              onClick={() => replace(row, onChange)}
              className="shrink-0 rounded-control text-accent underline-offset-2 hover:underline"
              aria-label={`Replace the value of ${called}`}
            >
              Replace
            </button>
          </div>
        ) : (
          <Input
            {...invalid}
            code
            data-part="value"
            type={row.secret ? 'password' : 'text'}
            autoComplete={row.secret ? 'new-password' : 'off'}
            aria-label={`Value of ${called}`}
            placeholder={row.secret ? 'Kept in the vault' : 'value'}
            value={row.value}
            onChange={(event) => onChange({ ...row, value: event.currentTarget.value })}
          />
        )}
        <IconButton
          name={
            row.kept !== undefined
              ? 'A saved secret stays one'
              : forced
                ? 'Its name says that it is a secret: kept in the vault'
                : row.secret
                  ? 'A secret, kept in the vault. Press to keep it in the open'
                  : 'Kept in the open. Press to keep it in the vault'
          }
          aria-pressed={row.secret}
          aria-disabled={forced || row.kept !== undefined}
          icon={row.secret ? <Lock {...icon} className="text-accent" /> : <LockOpen {...icon} />}
          onClick={() => (forced || row.kept !== undefined ? undefined : onChange({ ...row, secret: !row.secret }))}
          className={clsx((forced || row.kept !== undefined) && 'hover:bg-transparent')}
        />
        <IconButton name={`Remove ${called}`} icon={<X {...icon} />} onClick={onRemove} />
      </div>
      {problem ? (
        <p id={errorId} className="flex items-start gap-1 text-detail text-bad">
          <CircleAlert size={12} className="mt-0.5 shrink-0" aria-hidden />
          {problem}
        </p>
      ) : null}
    </div>
  );
}

function replace({ kept: _kept, ...row }: ValueRow, onChange: (row: ValueRow) => void): void {
  onChange({ ...row, secret: true, value: '' });
}
