import { Braces, KeyRound, Lock, LockOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SecretReference } from '../../../shared/model/config-value.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useRequest } from '../../bridge/request-state.ts';
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

/** `field` as in `env.API_KEY`. Answers what stands there then. */
export type MoveToVault = (field: string) => Promise<SecretReference>;

interface ValueControlProps {
  readonly row: ValueRow;
  /** What it is called: the variable, header or credential. */
  readonly called: string;
  /** Its name says that it is a secret, or it is a credential: it is never kept in the open. */
  readonly forced: boolean;
  /** Secrets that can be bound. */
  readonly secrets: readonly SecretReference[];
  /** For a value that stands in the file in the open. */
  readonly onMove?: (() => Promise<SecretReference>) | undefined;
  readonly onChange: (row: ValueRow) => void;
  readonly invalid?: { readonly 'aria-invalid'?: true | undefined; readonly 'aria-describedby'?: string | undefined; readonly id?: string };
}

/** A value as it can be typed, bound or replaced. What is saved is never shown. */
export function ValueControl(props: ValueControlProps) {
  const { row, called, onChange, invalid = {} } = props;
  switch (row.kind) {
    case 'reference':
      return (
        <div className="flex min-w-0 items-center gap-1.5">
          <SecretSelect {...props} />
          <TextButton label={`Replace the value of ${called}`} onClick={() => onChange({ ...row, kind: 'secret', value: '' })}>
            Replace
          </TextButton>
        </div>
      );
    case 'hidden':
      return <HiddenValue {...props} />;
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

/** Text of the file that looks secret: it is never shown. It stays, is replaced, or goes to the vault at once. */
function HiddenValue({ row, called, onChange, onMove }: ValueControlProps) {
  const { state, run } = useRequest();
  const move = () =>
    run(async () => {
      const ref = await onMove?.();
      if (ref) onChange({ ...row, kind: 'reference', ref });
    });
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex min-h-8 min-w-0 flex-wrap items-center gap-x-3 rounded-control border border-line bg-sunken px-2.5 text-list text-ink-2">
        <span className="min-w-0 flex-1 truncate">in the file, hidden</span>
        {onMove ? <TextButton label={`Move to vault: the value of ${called}`} onClick={move}>{state.phase === 'sending' ? 'Moving…' : 'Move to vault'}</TextButton> : null}
        <TextButton label={`Replace the value of ${called}`} onClick={() => onChange({ ...row, kind: 'secret', value: '' })}>
          Replace
        </TextButton>
      </div>
      {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
    </div>
  );
}

/** How the value is kept, and the other ways to keep it. */
export function KindMenu({ row, called, forced, onChange }: Omit<ValueControlProps, 'secrets' | 'invalid' | 'onMove'>) {
  const { as: _as, ...unnamed } = row;
  const become = (kind: ValueKind, rest: Partial<ValueRow> = {}) => () => onChange({ ...unnamed, kind, ...rest });
  const text = row.kind === 'plain' || row.kind === 'template' || row.kind === 'secret' ? row.value : '';
  const was = row.was?.value;
  return (
    <Menu
      trigger={<IconButton name={`How ${called} is kept: ${kindWords[row.kind]}`} icon={kindIcons[row.kind]} />}
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
