import * as z from 'zod';
import type { JsonObject } from '../../shared/model/catalog.ts';
import { visibleText } from '../../shared/text/visible-text.ts';
import { formatProblems } from './text-formats.ts';

const mostFields = 50;
const mostOptions = 200;

const Words = z.string().max(2_000).transform(visibleText);
const Count = z.number().int().min(0).max(1_000_000);
const Value = z.string().max(1_000);
const shown = { title: Words.optional(), description: Words.optional() };
const options = <T extends z.ZodType>(one: T) => z.array(one).min(1).max(mostOptions);
const Titled = z.object({ const: Value, title: Words });

const Text = z.object({ type: z.literal('string'), ...shown, minLength: Count.optional(), maxLength: Count.optional(), format: z.enum(['email', 'uri', 'date', 'date-time']).optional(), default: z.string().max(100_000).optional() });
const Numeric = z.object({ type: z.enum(['number', 'integer']), ...shown, minimum: z.number().optional(), maximum: z.number().optional(), default: z.number().optional() });
const YesNo = z.object({ type: z.literal('boolean'), ...shown, default: z.boolean().optional() });
const Enum = z.object({ type: z.literal('string'), ...shown, enum: options(Value), enumNames: z.array(Words).optional(), default: Value.optional() });
const TitledEnum = z.object({ type: z.literal('string'), ...shown, oneOf: options(Titled), default: Value.optional() });
const many = { type: z.literal('array'), ...shown, minItems: Count.optional(), maxItems: Count.optional(), default: z.array(Value).max(mostOptions).optional() };
const Choices = z.object({ ...many, items: z.union([z.object({ type: z.literal('string'), enum: options(Value) }), z.object({ anyOf: options(Titled) }), z.object({ oneOf: options(Titled) })]) });

const RequestedSchema = z.object({ type: z.literal('object'), properties: z.record(z.string().max(100), z.unknown()), required: z.array(z.string()).max(mostFields).optional() });

/** What is wrong with a form, for the server's developers. */
export class UnusableForm extends Error {
  override readonly name = 'UnusableForm';
}

/**
 * The form that a server asks for, made anew of the words that MCP allows (2025-11-25, "Requested Schema"): flat, of texts, numbers, yes-or-no and choices, each by its own
 * rules. What proposes or demands something that nobody could send is refused as a whole, like every other kind. Throws UnusableForm.
 */
export function formSchema(requested: unknown): JsonObject {
  const { properties, required = [] } = parsed(RequestedSchema, requested, 'requestedSchema');
  const fields = Object.entries(properties);
  if (fields.length > mostFields) throw new UnusableForm(`A form has at most ${mostFields} fields`);
  for (const name of required) if (!Object.hasOwn(properties, name)) throw new UnusableForm(`“${name}” is required and is no field`);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [checkedName(name), fieldSchema(name, field)])),
    required: [...new Set(required)],
    additionalProperties: false,
  };
}

/** A name that says something else than it seems to would be answered for another. */
function checkedName(name: string): string {
  if (name === '' || name === '__proto__' || visibleText(name) !== name) throw new UnusableForm('A field has a name that cannot be shown');
  return name;
}

function fieldSchema(name: string, field: unknown): JsonObject {
  const { type } = parsed(z.object({ type: z.string() }), field, name);
  const has = (word: string): boolean => typeof field === 'object' && field !== null && word in field;
  switch (type) {
    case 'string':
      return has('enum') ? plainChoice(name, parsed(Enum, field, name)) : has('oneOf') ? titledChoice(name, parsed(TitledEnum, field, name)) : text(name, parsed(Text, field, name));
    case 'number':
    case 'integer': {
      const found = parsed(Numeric, field, name);
      inOrder(name, found.minimum, found.maximum);
      proposed(name, found.default, (value) => value >= (found.minimum ?? -Infinity) && value <= (found.maximum ?? Infinity) && (type === 'number' || Number.isInteger(value)));
      return found;
    }
    case 'boolean':
      return parsed(YesNo, field, name);
    case 'array':
      return choices(name, parsed(Choices, field, name));
    default:
      throw new UnusableForm(`“${name}” is of a kind that a form does not have`);
  }
}

function text(name: string, found: z.infer<typeof Text>): JsonObject {
  inOrder(name, found.minLength, found.maxLength);
  proposed(name, found.default, (value) => {
    const { length } = Array.from(value); // in code points, as JSON Schema counts
    return length >= (found.minLength ?? 0) && length <= (found.maxLength ?? Infinity) && formatProblems({ properties: { [name]: found } }, { [name]: value }).length === 0;
  });
  return found;
}

/** `enumNames` are the names of the old form. A value that cannot be seen is named by its marks. */
function plainChoice(name: string, { enum: values, enumNames, ...rest }: z.infer<typeof Enum>): JsonObject {
  const named = enumNames?.length === values.length ? enumNames : values.map(visibleText);
  return titledChoice(name, { ...rest, oneOf: values.map((value, at) => ({ const: value, title: named[at] ?? value })) });
}

function titledChoice(name: string, { oneOf, ...rest }: z.infer<typeof TitledEnum>): JsonObject {
  const one = alike(name, oneOf);
  proposed(name, rest.default, (value) => one.some((option) => option.const === value));
  return { ...rest, oneOf: one };
}

function choices(name: string, { items, ...rest }: z.infer<typeof Choices>): JsonObject {
  const one = alike(name, 'enum' in items ? items.enum.map((value) => ({ const: value, title: visibleText(value) })) : 'anyOf' in items ? items.anyOf : items.oneOf);
  inOrder(name, rest.minItems, Math.min(rest.maxItems ?? Infinity, one.length));
  proposed(name, rest.default, (value) => {
    const fits = value.every((chosen) => one.some((option) => option.const === chosen)) && new Set(value).size === value.length;
    return fits && value.length >= (rest.minItems ?? 0) && value.length <= (rest.maxItems ?? Infinity);
  });
  return { ...rest, items: { type: 'string', oneOf: one }, uniqueItems: true };
}

type Option = z.infer<typeof Titled>;
/** Two options with one value, or one name, could not be told apart. */
function alike(name: string, found: readonly Option[]): readonly Option[] {
  if (new Set(found.map((option) => option.const)).size < found.length || new Set(found.map(({ title }) => title)).size < found.length) throw new UnusableForm(`“${name}” has options that cannot be told apart`);
  return found;
}

function inOrder(name: string, least: number | undefined, most: number | undefined): void {
  if (least !== undefined && most !== undefined && least > most) throw new UnusableForm(`“${name}” allows no value`);
}

/** A proposal is sent where the person leaves the field empty: it has to be one that they could have made. */
function proposed<T>(name: string, value: T | undefined, fits: (value: T) => boolean): void {
  if (value !== undefined && !fits(value)) throw new UnusableForm(`“${name}” proposes a value that does not fit`);
}

function parsed<T extends z.ZodType>(schema: T, value: unknown, where: string): z.infer<T> {
  const found = schema.safeParse(value);
  if (!found.success) throw new UnusableForm(`“${where}” cannot be shown in a form: ${found.error.issues[0]?.message ?? 'it does not fit'}`);
  return found.data;
}
