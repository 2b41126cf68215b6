import { Validator } from '@cfworker/json-schema';
// The package's index imports a test registry whose ajv is not installed (and may not run under our content security policy).
import Form from '@rjsf/core/lib/components/Form.js';
import type { FieldProps, RJSFSchema, ValidatorType } from '@rjsf/utils';
import { use, useCallback, useEffect, useMemo } from 'react';
import { FormSharedContext } from './form-context.ts';
import { JsonEditor } from './json-editor.tsx';
import { templates } from './templates.tsx';
import { widgets } from './widgets.tsx';

type Values = Readonly<Record<string, unknown>>;

/** The form asks it only which choice a value fits; the words for what is wrong come from `checkArguments`. */
const validator: ValidatorType = {
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  rawValidation: () => ({ errors: [] }),
  isValid: (schema, data, root) => {
    try {
      const { $defs, definitions } = root;
      return new Validator({ ...($defs ? { $defs } : {}), ...(definitions ? { definitions } : {}), ...schema } as ConstructorParameters<typeof Validator>[0], '2020-12', true).validate(data).valid; // a JSON Schema either way
    } catch {
      return false;
    }
  },
};

/** A part that no form control fits: written as JSON, in its place. */
function JsonField({ formData, onChange, fieldPathId, required }: FieldProps) {
  const { report } = use(FormSharedContext);
  const { $id, path } = fieldPathId;
  const onProblem = useCallback((words: string | undefined) => report($id, words), [report, $id]);
  return <JsonEditor id={$id} rows={2} value={formData} onChange={(value) => onChange(value, path)} onProblem={onProblem} aria-required={required ? true : undefined} />;
}
const fields = { JsonField };
const defaults = { arrayMinItems: { populate: 'requiredOnly' }, emptyObjectFields: 'populateAllDefaults' } as const;
const noSubmit = (): void => undefined;

/** The fields alone: no submit button, and Enter in a field runs nothing. */
export function FormBody({ schema, uiSchema, values, onChange, idPrefix, onReady }: {
  readonly schema: Values;
  readonly uiSchema: Values;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  readonly idPrefix: string;
  /** Its fields are there. */
  readonly onReady: () => void;
}) {
  useEffect(onReady, [onReady]);
  const ui = useMemo(() => ({ ...uiSchema, 'ui:submitButtonOptions': { norender: true } }), [uiSchema]);
  return (
    <Form
      tagName="div" schema={schema as RJSFSchema} // an object of JSON Schema words, copied by displayOf
      uiSchema={ui} formData={values} validator={validator} templates={templates} widgets={widgets} fields={fields} noValidate noHtml5Validate idPrefix={idPrefix}
      experimental_defaultFormStateBehavior={defaults} onSubmit={noSubmit}
      onChange={({ formData }) => onChange(typeof formData === 'object' && formData !== null ? (formData as Values) : {})} // an object form gives an object
    />
  );
}

