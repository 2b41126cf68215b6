import type { OutputUnit } from '@cfworker/json-schema';

const mostProblems = 12;
const longest = 240;

/** They only say that something below them is wrong, which follows by itself. */
const wrappers = new Set(['$ref', '$recursiveRef', 'properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'allOf', 'then', 'else', 'dependentSchemas']);

/** What is wrong where, one short sentence each; the place is a JSON pointer. */
export function problemSentences(errors: readonly OutputUnit[]): readonly string[] {
  const leaves = errors.filter((error) => !wrappers.has(error.keyword));
  const sentences = new Set((leaves.length > 0 ? leaves : errors).map(sentence));
  return [...sentences].slice(0, mostProblems);
}

function sentence({ instanceLocation, keyword, error }: OutputUnit): string {
  const pointer = instanceLocation.replace(/^#/, '');
  const where = pointer === '' ? 'The value' : short(pointer, 120);
  return short(`${where} ${says(keyword, error)}`, longest);
}

function says(keyword: string, error: string): string {
  switch (keyword) {
    case 'false': return 'is not expected';
    case 'type': return typeWords(error);
    case 'required': return `lacks the required property ${quoted(error)}`;
    case 'dependentRequired': return `has ${/^Instance has (".*") but does not have (".*")\.$/s.exec(error)?.slice(1).join(' but lacks ') ?? 'a property without another'}`;
    case 'enum': return `must be one of ${/any of \[(.*)\]\.$/s.exec(error)?.[1] ?? 'the listed values'}`;
    case 'const': return `must be ${/does not match (.*)\.$/s.exec(error)?.[1] ?? 'the given value'}`;
    case 'anyOf': return 'fits none of the alternatives';
    case 'oneOf': return `must fit exactly one of the alternatives, not ${/\((\d+) matches\)/.exec(error)?.[1] ?? 'several'}`;
    case 'not': return 'is excluded';
    case 'pattern': return 'does not have the required form';
    case 'maxProperties': return 'has too many properties';
    case 'minProperties': return 'has too few properties';
    default: return `is wrong: ${error.replace(/\.$/, '')}`;
  }
}

function typeWords(error: string): string {
  const [, found, expected] = /^Instance type "(\w+)" is invalid\. Expected "(.*)"\.$/.exec(error) ?? [];
  return found === undefined || expected === undefined ? 'has the wrong type' : `must be ${expected.split('", "').join(' or ')}, not ${found}`;
}

const quoted = (error: string): string => /"[^]*"/.exec(error)?.[0] ?? '';
const short = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);
