import { CircleAlert, Plus, X } from 'lucide-react';
import { useRef, type ClipboardEvent } from 'react';
import type { SecretReference } from '../../../shared/model/config-value.ts';
import { looksSecret } from '../../../shared/text/looks-secret.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Input } from '../../ui/input.tsx';
import { readPairs } from './read-pairs.ts';
import type { Problems } from './server-form-model.ts';
import { KindMenu, ValueControl, type MoveToVault } from './value-control.tsx';
import { isTemplateText, valueRow, type ValueRow } from './value-row.ts';

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

interface Props {
  readonly kind: 'env' | 'headers';
  readonly rows: readonly ValueRow[];
  readonly problems: Problems;
  readonly secrets: readonly SecretReference[];
  readonly onMove: MoveToVault | undefined;
  readonly onChange: (rows: readonly ValueRow[]) => void;
}

/** Variables or headers. A secret one is typed once, goes to the vault, and is only ever replaced. */
export function ValueRows({ kind, rows, problems, secrets, onMove, onChange }: Props) {
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
    const made = pairs.map(({ name, value }): ValueRow => {
      const fresh = valueRow(name, value);
      return isTemplateText(value) ? { ...fresh, kind: 'template' } : fresh;
    });
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
          secrets={secrets}
          onMove={onMove && (() => onMove(`${kind}.${row.name}`))}
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
  secrets,
  onMove,
  onChange,
  onRemove,
  onPaste,
}: {
  readonly kind: 'env' | 'headers';
  readonly row: ValueRow;
  readonly problem: string | undefined;
  readonly secrets: readonly SecretReference[];
  readonly onMove: (() => Promise<SecretReference>) | undefined;
  readonly onChange: (row: ValueRow) => void;
  readonly onRemove: () => void;
  readonly onPaste: (event: ClipboardEvent) => void;
}) {
  const say = words[kind];
  const forced = looksSecret(row.name);
  const called = row.name.trim() === '' ? `this ${say.one}` : row.name.trim();
  const errorId = `${kind}-${row.key}-problem`;
  const invalid = problem ? { 'aria-invalid': true as const, 'aria-describedby': errorId } : {};
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto_auto] items-start gap-1.5">
        <Input
          {...invalid}
          code
          data-part="name"
          aria-label={say.name}
          placeholder={say.example}
          value={row.name}
          onChange={(event) => onChange(renamed(row, event.currentTarget.value))}
          onPaste={onPaste}
        />
        <ValueControl row={row} called={called} forced={forced} secrets={secrets} onMove={onMove} onChange={onChange} invalid={invalid} />
        <KindMenu row={row} called={called} forced={forced} onChange={onChange} />
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

/** A name that looks like a secret's makes its value one; a name that no longer does, leaves what the person chose. */
function renamed(row: ValueRow, name: string): ValueRow {
  if (row.kind === 'plain' && looksSecret(name)) return { ...row, name, kind: 'secret' };
  if (row.kind === 'secret' && looksSecret(row.name) && !looksSecret(name) && row.was === undefined) return { ...row, name, kind: 'plain' };
  return { ...row, name };
}
