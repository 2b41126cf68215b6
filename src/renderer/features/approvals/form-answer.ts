import type { JsonObject } from '../../../shared/model/catalog.ts';
import { withDefaults } from '../../../shared/model/elicitation-content.ts';
import type { ElicitationContent } from '../../../shared/model/elicitation.ts';

interface FormField {
  readonly name: string;
  /** As it is called on screen. */
  readonly title: string;
  /** What its values are called, where they have names. */
  readonly options: ReadonlyMap<unknown, string>;
}

/** The fields of a form in their order. Names stand where two titles are the same. */
export function formFields(schema: JsonObject): readonly FormField[] {
  const fields = Object.entries(objectOf(schema['properties'])).map(([name, field]) => {
    const { title, oneOf, items } = objectOf(field);
    return { name, title: typeof title === 'string' && title.trim() !== '' ? title : name, options: optionsOf(oneOf ?? objectOf(items)['oneOf']) };
  });
  const unique = new Set(fields.map(({ title }) => title)).size === fields.length;
  return unique ? fields : fields.map((field) => ({ ...field, title: field.name }));
}

/** What is sent of what a form holds, in the form's order, with what the server proposed for fields that were left empty. */
export function sentContent(schema: JsonObject, values: Readonly<Record<string, unknown>>): ElicitationContent {
  const sent = withDefaults(schema, values);
  const entries = formFields(schema).flatMap(({ name }): readonly (readonly [string, ElicitationContent[string]])[] => {
    const value = sent[name];
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return [[name, value]];
    return Array.isArray(value) ? [[name, value.filter((one) => typeof one === 'string')]] : [];
  });
  return Object.fromEntries(entries);
}

/** The same for the person to look over: under the names of the fields, and each choice by its name and its value. */
export function shownContent(schema: JsonObject, content: ElicitationContent): Readonly<Record<string, unknown>> {
  const shown = formFields(schema).flatMap(({ name, title, options }) => {
    const value = content[name];
    if (value === undefined) return [];
    return [[title, Array.isArray(value) ? value.map((one) => optionText(one, options)) : optionText(value, options)] as const];
  });
  return Object.fromEntries(shown);
}

function optionText<T>(value: T, options: ReadonlyMap<unknown, string>): T | string {
  const name = options.get(value);
  return name === undefined || name === value ? value : `${name} (${String(value)})`;
}

const objectOf = (value: unknown): JsonObject => (typeof value === 'object' && value !== null ? { ...value } : {});
const optionsOf = (found: unknown): ReadonlyMap<unknown, string> =>
  new Map((Array.isArray(found) ? found : []).map(objectOf).flatMap(({ const: value, title }) => (typeof title === 'string' ? [[value, title] as const] : [])));
