import { Braces, KeyRound, Lock, LockOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SecretReference } from '../../../shared/model/config-value.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Input } from '../../ui/input.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Select } from '../../ui/select.tsx';
import type { ValueKind, ValueRow } from './value-row.ts';

const icon = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const;
const kindIcons: Readonly<Record<ValueKind, ReactNode>> = {
  plain: <LockOpen {...icon} />,
  secret: <Lock {...icon} className="text-accent" />,
  reference: <KeyRound {...icon} className="text-accent" />,
  template: <Braces {...icon} />,
  hidden: <Lock {...icon} />,
};
const kindWords: Readonly<Record<ValueKind, string>> = {
  plain: 'in the open',
  secret: 'a new secret, for the vault',
  reference: 'a secret in the vault',
  template: 'worked out at launch',
  hidden: 'in the file, hidden',
};

export interface ValueControlProps {
  readonly row: ValueRow;
  /** What it is called: the variable, header or credential. */
  readonly called: string;
  /** Its name says that it is a secret, or it is a credential: it is never kept in the open. */
  readonly forced: boolean;
  /** Secrets that can be bound. */
  readonly secrets: readonly SecretReference[];
  readonly onChange: (row: ValueRow) => void;
  readonly invalid?: { readonly 'aria-invalid'?: true | undefined; readonly 'aria-describedby'?: string | undefined; readonly id?: string };
}

/** A value as it can be typed, bound or replaced. What is saved is never shown. */
export function ValueControl({ row, called, forced, secrets, onChange, invalid = {} }: ValueControlProps) {
  switch (row.kind) {
    case 'reference':
      return (
        <div className="flex min-w-0 items-center gap-1.5">
          <SecretSelect row={row} called={called} secrets={secrets} onChange={onChange} invalid={invalid} forced={forced} />
          <TextButton label={`Replace the value of ${called}`} onClick={() => onChange({ ...row, kind: 'secret', value: '' })}>
            Replace
          </TextButton>
        </div>
      );
    case 'hidden':
      return (
        <div className="flex h-8 min-w-0 items-center gap-2 rounded-control border border-line bg-sunken px-2.5 text-list text-ink-2">
          <span className="min-w-0 flex-1 truncate">in the file, hidden</span>
          <TextButton label={`Replace the value of ${called}`} onClick={() => onChange({ ...row, kind: 'secret', value: '' })}>
            Replace
          </TextButton>
        </div>
      );
    case 'secret':
      return (
        <div className="flex min-w-0 flex-col gap-1">
          <Input
            {...invalid}
            code
            data-part="value"
            type="password"
            autoComplete="new-password"
            aria-label={`Value of ${called}`}
            placeholder="Kept in the vault"
            value={row.value}
            onChange={(event) => onChange({ ...row, value: event.currentTarget.value })}
          />
          {row.as === undefined ? null : (
            <Input
              code
              aria-label={`Name of the secret for ${called}`}
              placeholder="name in the vault"
              value={row.as}
              onChange={(event) => onChange({ ...row, as: event.currentTarget.value })}
            />
          )}
        </div>
      );
    case 'plain':
    case 'template':
      return (
        <Input
          {...invalid}
          code
          data-part="value"
          aria-label={`Value of ${called}`}
          placeholder={row.kind === 'template' ? '${NAME}, ${NAME:-default} or !command' : 'value'}
          value={row.value}
          onChange={(event) => onChange({ ...row, value: event.currentTarget.value })}
        />
      );
  }
}

function SecretSelect({ row, called, secrets, onChange, invalid = {} }: ValueControlProps) {
  const known = row.ref && !secrets.some((one) => keyOf(one) === keyOf(row.ref)) ? [row.ref, ...secrets] : secrets;
  return (
    <Select<string>
      {...invalid}
      name={`Secret for ${called}`}
      className="min-w-0 flex-1"
      placeholder={known.length === 0 ? 'The vault holds none yet' : 'Choose a secret…'}
      value={row.ref && keyOf(row.ref)}
      options={known.map((one) => ({ value: keyOf(one), label: <span className="font-code text-code">{one.secretRef}</span>, hint: one.scope === 'project' ? 'Project' : 'Global' }))}
      onChange={(chosen) => {
        const ref = known.find((one) => keyOf(one) === chosen);
        if (ref) onChange({ ...row, ref });
      }}
    />
  );
}
const keyOf = (ref: SecretReference | undefined): string => (ref ? `${ref.scope} ${ref.secretRef}` : '');

/** How the value is kept, and the other ways to keep it. */
export function KindMenu({ row, called, forced, onChange }: Omit<ValueControlProps, 'secrets' | 'invalid'>) {
  const { as: _as, ...unnamed } = row;
  const become = (kind: ValueKind, rest: Partial<ValueRow> = {}) => () => onChange({ ...unnamed, kind, ...rest });
  const text = row.kind === 'plain' || row.kind === 'template' || row.kind === 'secret' ? row.value : '';
  const was = row.was?.value;
  return (
    <Menu
      trigger={<IconButton name={`${called}: ${kindWords[row.kind]}`} icon={kindIcons[row.kind]} />}
      entries={[
        { label: 'New secret', checked: row.kind === 'secret' && row.as === undefined, onSelect: become('secret', { value: text }) },
        { label: 'New secret, under a name of mine', checked: row.kind === 'secret' && row.as !== undefined, onSelect: become('secret', { value: text, as: '' }) },
        { label: 'A secret in the vault', checked: row.kind === 'reference', onSelect: become('reference', { value: '' }) },
        { label: 'Text worked out at launch', checked: row.kind === 'template', onSelect: become('template', { value: was && 'template' in was ? was.template : '' }) },
        ...(forced ? [] : [{ label: 'Text in the open', checked: row.kind === 'plain', onSelect: become('plain', { value: row.kind === 'secret' ? '' : text }) }]),
        ...(was && 'literal' in was ? [{ label: 'As it is in the file, hidden', checked: row.kind === 'hidden', onSelect: become('hidden', { value: '' }) }] : []),
      ]}
    />
  );
}

const TextButton = ({ label, onClick, children }: { readonly label: string; readonly onClick: () => void; readonly children: ReactNode }) => (
  <button
    type="button"
    data-part="value"
    aria-label={label}
    onClick={onClick}
    className="shrink-0 rounded-control text-list text-accent underline-offset-2 hover:underline"
  >
    {children}
  </button>
);
