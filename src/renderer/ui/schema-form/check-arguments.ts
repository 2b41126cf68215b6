import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema';

export interface Problem {
  /** Names and positions from the arguments down to the field. */
  readonly path: readonly string[];
  readonly words: string;
}

/** A pattern from a server could take for ever on some text: only simple ones are tried here, the rest is for the guard, which can give up. */
export function isHarmlessPattern(pattern: string): boolean {
  if (pattern.length > 200 || /\\[1-9]|\(\?<?[=!]/.test(pattern)) return false;
  if (/\)[*+?{]/.test(pattern)) return false;
  return (pattern.match(/[*+]|\{\d+,\d*\}/g) ?? []).length <= 2;
}
/** Two unbounded repeats over this many characters are a few million steps. */
const longestForPatterns = 2000;

const longestText = (value: unknown): number =>
  typeof value === 'string' ? value.length : typeof value === 'object' && value !== null ? Math.max(0, ...Object.values(value).map(longestText)) : 0;

function withoutPatterns(node: unknown, patterns: boolean): unknown {
  if (Array.isArray(node)) return node.map((item: unknown) => withoutPatterns(item, patterns));
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(([word, value]) => {
    if (word === 'patternProperties') return false;
    return !(word === 'pattern' && typeof value === 'string' && !(patterns && isHarmlessPattern(value)));
  });
  return Object.fromEntries(entries.map(([word, value]) => [word, ['enum', 'const', 'default', 'examples'].includes(word) ? value : withoutPatterns(value, patterns)]));
}

/** What is wrong with the arguments, in words, field by field. A schema that cannot be read finds nothing wrong: the guard has the last word. */
export function checkArguments(schema: Readonly<Record<string, unknown>>, args: Readonly<Record<string, unknown>>): readonly Problem[] {
  const careful = withoutPatterns(schema, longestText(args) <= longestForPatterns);
  try {
    const validator = new Validator(careful as Schema, '2020-12', false); // an object, walked key by key above
    return problemsOf(validator.validate(args).errors);
  } catch {
    return [];
  }
}

/** Only says that something inside is wrong; the inside says it itself. */
const outer = new Set(['properties', 'items', 'prefixItems', 'additionalItems', 'allOf', '$ref', '$recursiveRef', 'if', 'dependentSchemas', 'unevaluatedItems']);
const choices = new Set(['anyOf', 'oneOf']);

function problemsOf(errors: readonly OutputUnit[]): readonly Problem[] {
  // Inside of a choice that failed, each option's own complaints would contradict each other.
  const failedChoices = errors.filter((error) => choices.has(error.keyword)).map((error) => `${error.keywordLocation}/`);
  const found = new Map<string, Problem>();
  for (const error of errors) {
    if (outer.has(error.keyword) || failedChoices.some((location) => error.keywordLocation.startsWith(location))) continue;
    const problem = problemOf(error);
    const key = problem.path.join('\u0000');
    if (!found.has(key)) found.set(key, problem);
  }
  return [...found.values()];
}

const pathOf = (pointer: string): readonly string[] =>
  pointer.replace(/^#\/?/, '').split('/').filter((part) => part !== '').map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
const quoted = (text: string): string => /"(.*)"/.exec(text)?.[1] ?? '';
const lastNumber = (text: string): string => /(-?\d+(?:\.\d+)?)\)?\.?$/.exec(text)?.[1] ?? '';
const typeNames: Readonly<Record<string, string>> = { string: 'a text', number: 'a number', integer: 'a whole number', boolean: 'yes or no', array: 'a list', object: 'an object', null: 'nothing' };
const formatNames: Readonly<Record<string, string>> = {
  date: 'a date', 'date-time': 'a date and time', time: 'a time', email: 'an e-mail address', uri: 'an address such as https://example.com', 'uri-reference': 'an address', ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address', uuid: 'a UUID', hostname: 'a host name', duration: 'a duration such as PT5M', regex: 'a regular expression',
};

function problemOf({ keyword, error, instanceLocation }: OutputUnit): Problem {
  const path = pathOf(instanceLocation);
  switch (keyword) {
    case 'required':
      return { path: [...path, quoted(error)], words: 'This is needed.' };
    case 'dependentRequired':
      return { path: [...path, /have "([^"]*)"\.$/.exec(error)?.[1] ?? ''], words: 'This is needed with the others.' };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return { path, words: `The tool does not know “${quoted(error)}”.` };
    case 'false':
      return { path, words: 'The tool does not take this.' };
    case 'type': {
      const wanted = /Expected "(.*)"/.exec(error)?.[1]?.split('", "') ?? [];
      return { path, words: `This should be ${wanted.map((type) => typeNames[type] ?? type).join(' or ') || 'something else'}.` };
    }
    case 'enum':
    case 'const':
      return { path, words: `It has to be ${keyword === 'enum' ? 'one of ' : ''}${error.replace(/^.*?(?:match any of |match )/, '').replace(/\.$/, '').slice(0, 200)}.` };
    case 'minLength':
      return { path, words: lastNumber(error) === '1' ? 'This is needed.' : `At least ${lastNumber(error)} characters.` };
    case 'maxLength':
      return { path, words: `At most ${lastNumber(error)} characters.` };
    case 'minItems':
      return { path, words: lastNumber(error) === '1' ? 'At least one is needed.' : `At least ${lastNumber(error)} are needed.` };
    case 'maxItems':
      return { path, words: `At most ${lastNumber(error)}.` };
    case 'uniqueItems':
      return { path, words: 'Two of these are the same.' };
    case 'minimum':
      return { path, words: `Not less than ${lastNumber(error)}.` };
    case 'maximum':
      return { path, words: `Not more than ${lastNumber(error)}.` };
    case 'exclusiveMinimum':
      return { path, words: `More than ${lastNumber(error)}.` };
    case 'exclusiveMaximum':
      return { path, words: `Less than ${lastNumber(error)}.` };
    case 'multipleOf':
      return { path, words: `A multiple of ${lastNumber(error)}.` };
    case 'pattern':
      return { path, words: 'It does not have the form that the tool wants.' };
    case 'format':
      return { path, words: `This should be ${formatNames[quoted(error)] ?? `in the form “${quoted(error)}”`}.` };
    case 'anyOf':
    case 'oneOf':
      return { path, words: 'It fits none of the choices.' };
    default:
      return { path, words: error.replace(/^Instance/, 'This') };
  }
}
