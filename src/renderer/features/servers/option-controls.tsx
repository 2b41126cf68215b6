import type { ReactNode } from 'react';
import { Field } from '../../ui/field.tsx';
import { Input, TextArea } from '../../ui/input.tsx';
import { Select, type SelectOption } from '../../ui/select.tsx';
import type { Choice, OptionsForm, ToolChoice } from './options-form.ts';
import type { Problems } from './server-form-model.ts';

export interface OptionsProps {
  readonly options: OptionsForm;
  readonly problems: Problems;
  readonly onChange: (change: Partial<OptionsForm>) => void;
}
type Keys<V> = { readonly [K in keyof OptionsForm]: OptionsForm[K] extends V ? (V extends OptionsForm[K] ? K : never) : never }[keyof OptionsForm];
type TextKey = Keys<string>;
type ChoiceKey = Keys<Choice>;

/** Options that belong together, under one small heading. */
export const OptionGroup = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <fieldset className="flex min-w-0 flex-col gap-3">
    <legend className="mb-2 text-detail font-[550] text-ink-3">{name}</legend>
    {children}
  </fieldset>
);

const plain = (label: string) => <span className="font-normal text-ink">{label}</span>;

export const TextOption = ({
  options, problems, onChange, field, label, hint, placeholder, code = false, number = false,
}: OptionsProps & {
  readonly field: TextKey;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly placeholder?: string;
  readonly code?: boolean;
  readonly number?: boolean;
}) => (
  <Field label={plain(label)} hint={hint} error={problems[field]}>
    {(parts) => (
      <Input
        {...parts}
        code={code}
        data-field={field}
        placeholder={placeholder}
        inputMode={number ? 'decimal' : undefined}
        className={number ? 'max-w-40' : undefined}
        value={options[field]}
        onChange={(event) => onChange({ [field]: event.currentTarget.value })}
      />
    )}
  </Field>
);

export const LinesOption = ({
  options, problems, onChange, field, label, hint, placeholder,
}: OptionsProps & { readonly field: TextKey; readonly label: string; readonly hint?: ReactNode; readonly placeholder?: string }) => (
  <Field label={plain(label)} hint={hint} error={problems[field]}>
    {(parts) => (
      <TextArea
        {...parts}
        code
        rows={2}
        spellCheck={false}
        placeholder={placeholder}
        data-field={field}
        value={options[field]}
        onChange={(event) => onChange({ [field]: event.currentTarget.value })}
      />
    )}
  </Field>
);

export function SelectOptionField<V extends string>({
  label, hint, error, value, choices, onChange,
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly value: V;
  readonly choices: readonly SelectOption<V>[];
  readonly onChange: (value: V) => void;
}) {
  return (
    <Field label={plain(label)} hint={hint} error={error}>
      {(parts) => <Select<V> {...parts} className="w-80 max-w-full" value={value} onChange={onChange} options={choices} />}
    </Field>
  );
}

/** On, off, or not said: then the usual holds, or what a lower file says. */
export const ChoiceOption = ({
  options, problems, onChange, field, label, hint, usual,
}: OptionsProps & { readonly field: ChoiceKey; readonly label: string; readonly hint: ReactNode; readonly usual: 'yes' | 'no' }) => (
  <SelectOptionField<Choice>
    label={label}
    hint={hint}
    error={problems[field]}
    value={options[field]}
    onChange={(value) => onChange({ [field]: value })}
    choices={[{ value: 'usual', label: `Usual (${usual})` }, { value: 'yes', label: 'Yes' }, { value: 'no', label: 'No' }]}
  />
);

/** All tools, none, or those that are named. */
export const ToolsOption = ({
  options, problems, onChange, field, names, label, hint, words,
}: OptionsProps & {
  readonly field: 'direct' | 'approve';
  readonly names: 'directNames' | 'approveNames';
  readonly label: string;
  readonly hint: ReactNode;
  readonly words: Readonly<Record<ToolChoice, string>>;
}) => (
  <div className="flex flex-col gap-2">
    <SelectOptionField<ToolChoice>
      label={label}
      hint={hint}
      value={options[field]}
      onChange={(value) => onChange({ [field]: value })}
      choices={(['usual', 'all', 'none', 'some'] as const).map((value) => ({ value, label: words[value] }))}
    />
    {options[field] === 'some' ? (
      <LinesOption options={options} problems={problems} onChange={onChange} field={names} label="Which tools" hint="One name to a line; * and ? stand for anything." placeholder="delete_*" />
    ) : null}
  </div>
);
