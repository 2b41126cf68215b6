import type { JsonObject } from '../../../shared/model/catalog.ts';
import { copyKeywords } from './copy-keywords.ts';
import { isObject, own } from './json.ts';
import { both } from './merge-schemas.ts';
import type { PropertyNames } from './property-names.ts';
import type { ProviderRules } from './provider-rules.ts';
import { References } from './references.ts';

/** How far a schema is unrolled. */
export interface CopyLimits {
  /** How often one definition may stand within itself. */
  readonly repeats: number;
  /** How many references may stand within each other. */
  readonly references: number;
}
export type Copied =
  | { readonly kind: 'copied'; readonly schema: JsonObject; readonly unrolled: boolean; readonly notes: readonly string[] }
  | { readonly kind: 'too-large'; readonly unrolled: boolean }
  | { readonly kind: 'circular' };

/** More cannot fit into 64 KiB. */
const mostNodes = 10_000;
const deepest = 40;

/** Where the copy stands: references that it is within, and those entered since the last step down to a value. */
export interface Place {
  readonly depth: number;
  readonly within: readonly unknown[];
  readonly sameValue: readonly unknown[];
}

/**
 * A copy that one provider takes: no references, known keywords with values of the right type, names that it allows. The original is left
 * alone.
 */
export function copySchema(root: JsonObject, rules: ProviderRules, names: PropertyNames, limits: CopyLimits): Copied {
  const copier = new SchemaCopier(root, rules, names, limits);
  const schema = copier.copy(root, { depth: 0, within: [root], sameValue: [root] });
  switch (copier.stopped) {
    case undefined:
      return { kind: 'copied', schema, unrolled: copier.unrolled, notes: [...copier.notes] };
    case 'too-large':
      return { kind: 'too-large', unrolled: copier.unrolled };
    case 'circular':
      return { kind: 'circular' };
  }
}

export class SchemaCopier {
  readonly rules: ProviderRules;
  readonly names: PropertyNames;
  readonly notes = new Set<string>();
  stopped: 'too-large' | 'circular' | undefined;
  unrolled = false;
  readonly #references: References;
  readonly #limits: CopyLimits;
  #nodes = 0;

  constructor(root: JsonObject, rules: ProviderRules, names: PropertyNames, limits: CopyLimits) {
    this.rules = rules;
    this.names = names;
    this.#references = new References(root);
    this.#limits = limits;
  }

  /** Counts work; `false` when there has been enough. */
  spend(nodes: number): boolean {
    this.#nodes += nodes;
    if (this.#nodes > mostNodes) this.stopped ??= 'too-large';
    return this.stopped === undefined;
  }

  /** For a schema of another value, such as a property's. `undefined` for one that nothing fits. */
  below(schema: unknown, place: Place): JsonObject | undefined {
    return schema === false ? undefined : this.copy(schema, { ...place, depth: place.depth + 1, sameValue: [] });
  }

  /** For a further schema of the same value, such as a branch of `anyOf`. */
  beside(schema: unknown, place: Place): JsonObject | undefined {
    return schema === false ? undefined : this.copy(schema, { ...place, depth: place.depth + 1 });
  }

  copy(schema: unknown, place: Place): JsonObject {
    if (!this.spend(1) || !isObject(schema)) return {};
    if (place.depth > deepest) {
      this.notes.add('Some of it lies too deep to be described.');
      return {};
    }
    const reference = ['$ref', '$dynamicRef', '$recursiveRef'].map((key) => own(schema, key)).find((value) => typeof value === 'string');
    if (typeof reference !== 'string') return copyKeywords(schema, this, place);
    return both(this.#referred(reference, place), copyKeywords(schema, this, place));
  }

  #referred(reference: string, place: Place): JsonObject {
    const resolved = this.#references.resolve(reference);
    if (resolved.kind !== 'found') {
      this.notes.add(
        resolved.kind === 'elsewhere'
          ? 'Some of it is described elsewhere and not shown.'
          : 'Some of it refers to a description that is missing.',
      );
      return {};
    }
    const { schema } = resolved;
    if (place.sameValue.includes(schema)) {
      this.stopped ??= 'circular';
      return {};
    }
    this.unrolled = true;
    const repeats = place.within.filter((one) => one === schema).length;
    if (repeats > this.#limits.repeats || place.within.length > this.#limits.references) {
      this.notes.add('It may go on inside itself deeper than shown.');
      return {};
    }
    return this.copy(schema, { depth: place.depth + 1, within: [...place.within, schema], sameValue: [...place.sameValue, schema] });
  }
}
