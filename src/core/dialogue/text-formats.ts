import type { JsonObject } from '../../shared/model/catalog.ts';

/** Of a month, 1 to 12. */
const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined) return false;
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month));
}

/** The four that a form's texts may have (MCP 2025-11-25): RFC 5321 in its common form, RFC 3986 with a scheme, RFC 3339. */
const formats: Readonly<Record<string, { readonly fits: (text: string) => boolean; readonly words: string }>> = {
  email: { fits: (text) => /^[^\s@"(),:;<>[\\\]]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,253}[\p{L}\p{N}])?$/u.test(text) && !text.includes('..'), words: 'an e-mail address' },
  uri: { fits: (text) => /^[a-z][a-z\d+.-]*:[^\s]+$/i.test(text) && URL.canParse(text), words: 'an address with its scheme' },
  date: { fits: isDate, words: 'a date such as 2026-11-30' },
  'date-time': { fits: (text) => /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i.test(text) && isDate(text.slice(0, 10)), words: 'a date and time with its zone' },
};

/** What of an answer is not in the format that its field has; judges of JSON Schema leave formats alone. */
export function formatProblems(schema: JsonObject, content: Readonly<Record<string, unknown>>): readonly string[] {
  const { properties } = schema;
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties).flatMap(([name, field]: readonly [string, unknown]) => {
    const format = typeof field === 'object' && field !== null && 'format' in field && typeof field.format === 'string' ? formats[field.format] : undefined;
    const value = Object.hasOwn(content, name) ? content[name] : undefined;
    return format && typeof value === 'string' && !format.fits(value) ? [`${name} has to be ${format.words}`] : [];
  });
}
