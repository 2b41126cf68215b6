import type {
  ArrayFieldItemTemplateProps, ArrayFieldTemplateProps, FieldTemplateProps, MultiSchemaFieldTemplateProps, ObjectFieldTemplateProps, TemplatesType, UnsupportedFieldProps,
} from '@rjsf/utils';
import { CircleAlert, Plus, Trash2 } from 'lucide-react';
import { use, type ReactNode } from 'react';
import { Button } from '../button.tsx';
import { IconButton } from '../icon-button.tsx';
import { VisibleText } from '../visible-text.tsx';
import { FormSharedContext, samePath } from './form-context.ts';

const isGroup = (schema: FieldTemplateProps['schema']): boolean => schema.type === 'object' || (schema.type === 'array' && !(typeof schema.items === 'object' && 'enum' in schema.items && schema.uniqueItems));

/** One field: its name as the tool calls it, what the server says of it, its control, what is wrong. */
function FieldTemplate({ id, label, rawDescription, children, required, hidden, schema, fieldPathId, displayLabel }: FieldTemplateProps) {
  const { problems } = use(FormSharedContext);
  const problem = problems.find((one) => samePath(fieldPathId.path, one.path));
  if (hidden) return <div className="hidden">{children}</div>;
  const isRoot = fieldPathId.path.length === 0;
  if (isRoot) return <>{children}{problem ? <ErrorLine id={`${id}-error`} words={problem.words} /> : null}</>;
  const isItem = typeof fieldPathId.path.at(-1) === 'number';
  if (isGroup(schema)) {
    return (
      <fieldset className="min-w-0">
        {isItem ? null : <Legend label={label} required={required} />}
        {rawDescription ? <p className="mb-1.5 text-detail break-words text-ink-3"><VisibleText text={rawDescription} /></p> : null}
        <div className={isItem ? undefined : 'border-l-2 border-line pl-3'}>{children}</div>
        {problem ? <ErrorLine id={`${id}-error`} words={problem.words} /> : null}
      </fieldset>
    );
  }
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {isItem && displayLabel !== true ? null : (
        <div className="flex items-baseline gap-2 text-list">
          <label htmlFor={id} className={isItem ? 'sr-only' : 'min-w-0 font-[550] break-words text-ink'}><VisibleText text={label} /></label>
          {required && !isItem ? <span className="text-detail text-ink-3">required</span> : null}
        </div>
      )}
      {children}
      {rawDescription ? <p id={`${id}-hint`} className="text-detail break-words text-ink-3"><VisibleText text={rawDescription} /></p> : null}
      {problem ? <ErrorLine id={`${id}-error`} words={problem.words} /> : null}
    </div>
  );
}

const Legend = ({ label, required }: { readonly label: string; readonly required: boolean | undefined }) => (
  <legend className="mb-1 flex items-baseline gap-2 text-list font-[550] text-ink"><VisibleText text={label} />{required ? <span className="text-detail font-normal text-ink-3">required</span> : null}</legend>
);

const ErrorLine = ({ id, words }: { readonly id: string; readonly words: ReactNode }) => (
  <p id={id} className="mt-0.5 flex items-start gap-1 text-detail text-bad"><CircleAlert size={12} className="mt-0.5 shrink-0" aria-hidden />{words}</p>
);

const ObjectFieldTemplate = ({ properties, optionalDataControl, fieldPathId }: ObjectFieldTemplateProps) => (
  <div className="flex flex-col gap-3.5">
    {optionalDataControl}
    {properties.filter((property) => !property.hidden).map((property) => <div key={property.name}>{property.content}</div>)}
    {properties.length === 0 && fieldPathId.path.length === 0 && !optionalDataControl ? <p className="text-list text-ink-3">This tool takes no arguments.</p> : null}
  </div>
);

const ArrayFieldTemplate = ({ items, canAdd, onAddClick, disabled, readonly, optionalDataControl }: ArrayFieldTemplateProps) => (
  <div className="flex flex-col gap-2">
    {optionalDataControl}
    {items}
    {canAdd ? <Button size="s" look="plain" className="-ml-2 self-start" icon={<Plus size={14} aria-hidden />} disabled={disabled || readonly} onClick={onAddClick}>Add one</Button> : null}
  </div>
);

const ArrayFieldItemTemplate = ({ children, buttonsProps, index, totalItems }: ArrayFieldItemTemplateProps) => (
  <div className="flex items-start gap-2">
    <span className="mt-2 w-4 shrink-0 text-right text-detail text-ink-3" aria-hidden>{index + 1}</span>
    <div className="min-w-0 flex-1">{children}</div>
    {buttonsProps.hasRemove ? <IconButton name={`Remove ${index + 1} of ${totalItems}`} icon={<Trash2 size={14} strokeWidth={1.75} />} onClick={buttonsProps.onRemoveItem} disabled={buttonsProps.disabled ?? false} /> : null}
  </div>
);

const MultiSchemaFieldTemplate = ({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps) => (
  <div className="flex flex-col gap-3">{selector}{optionSchemaField}</div>
);

const Nothing = () => null;
const UnsupportedFieldTemplate = ({ reason }: UnsupportedFieldProps) => <p className="text-detail text-ask">This field cannot be shown in the form ({reason}). Use “Edit as JSON”.</p>;

export const templates: Partial<Omit<TemplatesType, 'ButtonTemplates'>> = {
  FieldTemplate, ObjectFieldTemplate, ArrayFieldTemplate, ArrayFieldItemTemplate, MultiSchemaFieldTemplate, UnsupportedFieldTemplate,
  ErrorListTemplate: Nothing, FieldErrorTemplate: Nothing, FieldHelpTemplate: Nothing, DescriptionFieldTemplate: Nothing, TitleFieldTemplate: Nothing, ArrayFieldTitleTemplate: Nothing, ArrayFieldDescriptionTemplate: Nothing,
};
