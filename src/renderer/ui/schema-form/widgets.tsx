import type { RegistryWidgetsType, WidgetProps } from '@rjsf/utils';
import { use, useState } from 'react';
import { hasInvisible, visiblePieces } from '../../../shared/text/visible-text.ts';
import { Checkbox } from '../checkbox.tsx';
import { Input, TextArea } from '../input.tsx';
import { Segmented } from '../segmented.tsx';
import { Select } from '../select.tsx';
import { fieldId, FormSharedContext } from './form-context.ts';

/** What a field's template has already worked out for its control. */
function useAria({ id, required, schema }: WidgetProps) {
  const { idPrefix, problems } = use(FormSharedContext);
  const wrong = problems.some((problem) => fieldId(idPrefix, problem.path) === id);
  return {
    id,
    'aria-describedby': [schema.description ? `${id}-hint` : '', wrong ? `${id}-error` : ''].filter(Boolean).join(' ') || undefined,
    'aria-invalid': wrong ? (true as const) : undefined,
    'aria-required': required ? (true as const) : undefined,
  };
}
const asText = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '');
const codeNames = /^(sql|code|script|html|css|json|data)$/i;
const longNames = /^(text|body|content|contents|message|description|markdown|prompt|query|sql|code|script|html|css|json|data|notes?|comment|summary|instructions?)$/i;

/** Numbers come here too: the form makes them from their text. */
const TextOrNumber = (props: WidgetProps) => (props.schema.type === 'number' || props.schema.type === 'integer' ? <NumberWidget {...props} /> : <TextWidget {...props} />);

/** One line, or several where several are likely; pasting lines into a single one makes it several. */
function TextWidget(props: WidgetProps) {
  const aria = useAria(props);
  const { value, onChange, schema, name, options, autofocus, disabled, readonly } = props;
  const text = asText(value);
  const [long, setLong] = useState(() => text.length > 80 || text.includes('\n') || (longNames.test(name) && schema.maxLength === undefined) || (schema.maxLength ?? 0) > 300);
  const change = (next: string) => onChange(next === '' ? options.emptyValue : next);
  const common = { ...aria, value: text, autoFocus: autofocus, disabled: disabled || readonly, maxLength: undefined };
  const unseen = hasInvisible(text) ? <Unseen text={text} onClean={(clean) => change(clean)} /> : null;
  if (long) return <><TextArea {...common} code={codeNames.test(name)} spellCheck={!codeNames.test(name)} rows={1} onChange={(event) => change(event.currentTarget.value)} />{unseen}</>;
  const paste = (event: React.ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text');
    if (!/\n/.test(pasted.trim())) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    setLong(true);
    change(text.slice(0, selectionStart ?? text.length) + pasted + text.slice(selectionEnd ?? text.length));
  };
  return <><Input {...common} placeholder={placeholderOf(props)} onPaste={paste} onChange={(event) => change(event.currentTarget.value)} />{unseen}</>;
}

/** A field cannot show marks in its text, so they stand below it, with a way to be rid of them. */
function Unseen({ text, onClean }: { readonly text: string; readonly onClean: (text: string) => void }) {
  const marks = [...new Set(visiblePieces(text).filter((piece) => piece.mark).map((piece) => piece.text))];
  const clean = () => onClean(visiblePieces(text).filter((piece) => !piece.mark).map((piece) => piece.text).join(''));
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-2 text-detail text-ask">
      <span>It has characters that cannot be seen: {marks.slice(0, 6).join(' ')}{marks.length > 6 ? ' …' : ''}</span>
      <button type="button" onClick={clean} className="rounded-control text-accent underline-offset-2 hover:underline">Remove them</button>
    </p>
  );
}

const placeholderOf = ({ schema }: WidgetProps): string | undefined => {
  const example: unknown = Array.isArray(schema.examples) ? schema.examples[0] : undefined;
  return typeof example === 'string' || typeof example === 'number' ? `${example}` : undefined;
};

const inputWidget = (type: string) => function InputWidget(props: WidgetProps) {
  const aria = useAria(props);
  const { value, onChange, options, autofocus, disabled, readonly } = props;
  return (
    <Input
      {...aria} type={type} value={asText(value)} autoFocus={autofocus} disabled={disabled || readonly} placeholder={placeholderOf(props)} className={type === 'date' || type === 'time' ? 'max-w-48' : undefined}
      onChange={(event) => onChange(event.currentTarget.value === '' ? options.emptyValue : event.currentTarget.value)}
    />
  );
};

/** Keeps what is typed until it is a number: "1." on the way to "1.5" is not thrown away. */
function NumberWidget(props: WidgetProps) {
  const aria = useAria(props);
  const { value, onChange, options, autofocus, disabled, readonly } = props;
  const [text, setText] = useState(() => asText(value));
  const change = (next: string) => {
    setText(next);
    const number = Number(next);
    onChange(next.trim() === '' ? options.emptyValue : Number.isFinite(number) ? number : next);
  };
  return <Input {...aria} inputMode="decimal" className="max-w-48" value={text} autoFocus={autofocus} disabled={disabled || readonly} placeholder={placeholderOf(props)} onChange={(event) => change(event.currentTarget.value)} />;
}

const pad = (value: number): string => String(value).padStart(2, '0');
const localTime = (value: unknown): string => {
  const date = new Date(asText(value));
  return Number.isNaN(date.getTime()) ? '' : `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
};
/** Shown in the person's own time, sent as UTC. */
function DateTimeWidget(props: WidgetProps) {
  const aria = useAria(props);
  const { value, onChange, options, disabled, readonly } = props;
  const change = (next: string) => {
    const date = new Date(next);
    onChange(next === '' || Number.isNaN(date.getTime()) ? options.emptyValue : date.toISOString());
  };
  return <Input {...aria} type="datetime-local" className="max-w-60" value={localTime(value)} disabled={disabled || readonly} onChange={(event) => change(event.currentTarget.value)} />;
}

const leftOut = 'left-out';
function SelectWidget(props: WidgetProps) {
  const aria = useAria(props);
  const { value, onChange, options, required, disabled, readonly, multiple, label } = props;
  const known = options.enumOptions ?? [];
  if (multiple) return <CheckboxesWidget {...props} />;
  const index = known.findIndex((option) => JSON.stringify(option.value) === JSON.stringify(value));
  const choices = [...(required ? [] : [{ value: leftOut, label: <span className="text-ink-3">Leave out</span> }]), ...known.map((option, at) => ({ value: `${at}`, label: option.label }))];
  return (
    <Select
      {...aria} name={label || 'Choose'} className="w-full max-w-80" options={choices} placeholder={required ? 'Choose…' : 'Left out'} value={index < 0 ? undefined : `${index}`} disabled={Boolean(disabled || readonly)}
      onChange={(chosen) => onChange(chosen === leftOut ? options.emptyValue : known[Number(chosen)]?.value)}
    />
  );
}

function CheckboxesWidget(props: WidgetProps) {
  const { value, onChange, options, label } = props;
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  const has = (one: unknown) => chosen.some((other) => JSON.stringify(other) === JSON.stringify(one));
  return (
    <div role="group" aria-label={label} id={props.id} className="flex flex-wrap gap-x-5 gap-y-1.5 py-1">
      {(options.enumOptions ?? []).map((option) => (
        <Checkbox
          key={JSON.stringify(option.value)} label={option.label} checked={has(option.value)} disabled={Boolean(props.disabled || props.readonly)}
          onChange={(on) => onChange(on ? [...chosen, option.value] : chosen.filter((one) => JSON.stringify(one) !== JSON.stringify(option.value)))}
        />
      ))}
    </div>
  );
}

/** Yes, no, and nothing said are three things. */
function BooleanWidget({ value, onChange, required, label }: WidgetProps) {
  const options = [{ value: 'yes', label: 'Yes' }, { value: 'no', label: 'No' }, ...(required ? [] : [{ value: 'none', label: 'Leave out' }])];
  return <Segmented name={label} value={value === true ? 'yes' : value === false ? 'no' : 'none'} options={options} onChange={(chosen) => onChange(chosen === 'yes' ? true : chosen === 'no' ? false : undefined)} />;
}

export const widgets: RegistryWidgetsType = {
  TextWidget: TextOrNumber, TextareaWidget: TextWidget, PasswordWidget: inputWidget('password'), EmailWidget: inputWidget('text'), URLWidget: inputWidget('text'), DateWidget: inputWidget('date'), TimeWidget: inputWidget('time'),
  DateTimeWidget, UpDownWidget: NumberWidget, RangeWidget: NumberWidget, SelectWidget, RadioWidget: SelectWidget, CheckboxesWidget, CheckboxWidget: BooleanWidget, FileWidget: TextWidget, ColorWidget: TextWidget,
};
