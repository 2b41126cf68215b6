import type { JsonObject } from '../../../shared/model/catalog.ts';
import { isObject, shortened } from './json.ts';
import { both, eachProperty, either, listOf, propertiesOf, stringsOf, typesOf } from './merge-schemas.ts';

export type Folded =
  | { readonly kind: 'folded'; readonly schema: JsonObject; readonly notes: readonly string[] }
  /** No object fits: the arguments of a tool are always one. */
  | { readonly kind: 'no-object'; readonly wanted: string };

const mostForms = 10;
const noteLimit = 800;

/**
 * The root as one plain object: providers refuse `anyOf` and its kin there. What the branches say becomes properties; that they are
 * alternatives, a note.
 */
export function foldRoot(schema: JsonObject): Folded {
  const types = typesOf(schema['type']);
  if (types.length > 0 && !types.includes('object')) return { kind: 'no-object', wanted: types.join(' or ') };
  const { anyOf, oneOf, allOf, not, enum: _values, type: _type, title: _title, default: _default, examples: _examples, ...rest } = schema;
  let folded: JsonObject = { ...rest, type: 'object', properties: propertiesOf(schema['properties']) };
  const notes: string[] = [];
  for (const branch of listOf(allOf).filter(isObject)) {
    const one = foldRoot(branch);
    if (one.kind === 'no-object') return one;
    folded = both(folded, one.schema);
    notes.push(...one.notes);
  }
  for (const [branches, words] of [
    [anyOf, 'At least one of these must hold'],
    [oneOf, 'Exactly one of these must hold'],
  ] as const) {
    const listed = listOf(branches).filter(isObject);
    if (listed.length === 0) continue;
    const forms = listed.map(foldRoot).filter((form) => form.kind === 'folded');
    if (forms.length === 0) return { kind: 'no-object', wanted: 'something else' };
    folded = withForms(
      folded,
      forms.map((form) => form.schema),
    );
    if (forms.length > 1) notes.push(formsNote(words, listed, folded));
    notes.push(...forms.flatMap((form) => form.notes));
  }
  if (not !== undefined) notes.push('Not every combination is accepted.');
  return { kind: 'folded', schema: ordered(folded), notes };
}

function withForms(base: JsonObject, forms: readonly JsonObject[]): JsonObject {
  const [first, ...others] = forms.map((form) => propertiesOf(form['properties']));
  const offered = others.reduce((all, one) => eachProperty(all, one, either), first ?? {});
  const always = forms.map((form) => stringsOf(form['required'])).reduce((all, one) => all.filter((name) => one.includes(name)));
  const required = [...new Set([...stringsOf(base['required']), ...always])];
  const open = forms.some((form) => form['additionalProperties'] !== false);
  const { additionalProperties, ...rest } = base;
  return {
    ...rest,
    properties: eachProperty(propertiesOf(base['properties']), offered, both),
    ...(required.length === 0 ? {} : { required }),
    ...(additionalProperties !== undefined ? { additionalProperties } : open ? {} : { additionalProperties: false }),
  };
}

function formsNote(words: string, forms: readonly JsonObject[], folded: JsonObject): string {
  const common = new Set(stringsOf(folded['required']));
  const told = forms.slice(0, mostForms).map((form, index) => {
    const fixed = Object.entries(propertiesOf(form['properties'])).flatMap(([name, property]) => {
      const values = listOf(property['enum']);
      return values.length === 1 ? [`${name} = ${JSON.stringify(values[0])}`] : [];
    });
    const needed = stringsOf(form['required']).filter((name) => !common.has(name) && !fixed.some((one) => one.startsWith(`${name} = `)));
    const label = ['title', 'description'].map((key) => form[key]).find((text) => typeof text === 'string');
    const parts = [...fixed, ...(needed.length === 0 ? [] : [`with ${needed.join(', ')}`])];
    return `(${index + 1}) ${parts.join(', ') || (typeof label === 'string' ? shortened(label, 80) : 'as described')}`;
  });
  return shortened(`${words}: ${told.join('; ')}${forms.length > mostForms ? `; and ${forms.length - mostForms} more` : ''}.`, noteLimit);
}

function ordered({ type, properties, required, ...rest }: JsonObject): JsonObject {
  return { type, ...rest, properties, ...(required === undefined ? {} : { required }) };
}
