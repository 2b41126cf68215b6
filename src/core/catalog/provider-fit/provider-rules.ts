import type { ProviderKind } from '../../../shared/model/settings.ts';

/** What one provider takes of a tool. Whatever is dropped here is still checked: core judges arguments by the server's own schema. */
export interface ProviderRules {
  readonly keywords: ReadonlySet<string>;
  /** Property names that may stay as they are. */
  readonly propertyName: RegExp;
  /** `undefined`: any. */
  readonly formats: ReadonlySet<string> | undefined;
  /** `allOf` is not understood and has to be merged. */
  readonly mergeAllOf: boolean;
  /** Values of mixed types in one `enum`. */
  readonly mixedEnums: boolean;
  readonly toolLimit: number;
  /** For a tool's own description, in characters. */
  readonly descriptionLimit: number;
}

const common = [
  'type',
  'title',
  'description',
  'enum',
  'default',
  'examples',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'items',
  'prefixItems',
  'minItems',
  'maxItems',
  'uniqueItems',
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
] as const;
const without = (...names: readonly (typeof common)[number][]): ReadonlySet<string> =>
  new Set(common.filter((name) => !names.includes(name)));

/** Long names, control characters and half surrogate pairs are taken by nobody; `__proto__` is a trap for whoever copies the arguments. */
const anyName = /^(?!__proto__$)[^\p{C}]{1,64}$/u;

const rules: Readonly<Record<ProviderKind, ProviderRules>> = {
  anthropic: {
    keywords: new Set(common),
    propertyName: /^(?!__proto__$)[A-Za-z0-9_.-]{1,64}$/,
    formats: undefined,
    mergeAllOf: false,
    mixedEnums: true,
    toolLimit: Number.POSITIVE_INFINITY,
    descriptionLimit: 4096,
  },
  openai: {
    keywords: without('prefixItems', 'propertyNames', 'dependentRequired'),
    propertyName: anyName,
    formats: undefined,
    mergeAllOf: false,
    mixedEnums: true,
    toolLimit: 128,
    descriptionLimit: 4096,
  },
  // Many such servers turn schemas into grammars and refuse the whole request over a pattern that they cannot turn.
  'openai-compatible': {
    keywords: without('prefixItems', 'propertyNames', 'dependentRequired', 'pattern', 'patternProperties', 'not'),
    propertyName: anyName,
    formats: undefined,
    mergeAllOf: false,
    mixedEnums: true,
    toolLimit: 128,
    // Chat Completions refuses more: "Expected a string with maximum length 1024".
    descriptionLimit: 1024,
  },
  google: {
    keywords: new Set([
      'type',
      'title',
      'description',
      'enum',
      'minimum',
      'maximum',
      'format',
      'items',
      'minItems',
      'maxItems',
      'properties',
      'required',
      'additionalProperties',
      'anyOf',
    ]),
    propertyName: /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_.-]{0,63}$/,
    formats: new Set(['date-time', 'date', 'time']),
    mergeAllOf: true,
    mixedEnums: false,
    toolLimit: 128,
    descriptionLimit: 4096,
  },
};

export function providerRules(kind: ProviderKind): ProviderRules {
  return rules[kind];
}
