type Values = Readonly<Record<string, unknown>>;
const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a form holds, as arguments: optional fields that were left empty are left out; required ones stay as they are. */
export function shapeArguments(values: Values, schema: Values): Values {
  const properties = isValues(schema['properties']) ? schema['properties'] : {};
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const shaped = Object.entries(values).map(([name, value]): readonly [string, unknown] => {
    const child = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, shapeValue(value, isValues(child) ? child : {})];
  });
  return Object.fromEntries(shaped.filter(([name, value]) => value !== undefined && (required.includes(name) ? true : !isEmpty(value))));
}

function shapeValue(value: unknown, schema: Values): unknown {
  if (Array.isArray(value)) {
    const items = isValues(schema['items']) ? schema['items'] : {};
    return value.map((item: unknown) => shapeValue(item, items)).filter((item) => item !== undefined);
  }
  return isValues(value) ? shapeArguments(value, schema) : value;
}

const isEmpty = (value: unknown): boolean =>
  value === '' || (Array.isArray(value) && value.length === 0) || (isValues(value) && Object.keys(value).length === 0);
