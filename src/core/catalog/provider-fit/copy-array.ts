import type { JsonObject } from '../../../shared/model/catalog.ts';
import type { Place, SchemaCopier } from './copy-schema.ts';
import { own } from './json.ts';
import { either, typesOf } from './merge-schemas.ts';

/**
 * What a schema says of arrays. `items` is always there: OpenAI refuses an array without it. Lists of positions exist in two spellings,
 * and not everywhere.
 */
export function copyArray(
  schema: JsonObject,
  copier: SchemaCopier,
  place: Place,
  put: (key: string, value: unknown) => void,
  type: unknown,
): void {
  const items = own(schema, 'items');
  const prefix = own(schema, 'prefixItems');
  const positions: unknown = Array.isArray(items) ? items : prefix;
  const rest = Array.isArray(items) ? own(schema, 'additionalItems') : items;
  const listed: JsonObject[] = [];
  if (Array.isArray(positions)) {
    for (const position of positions) {
      if (copier.stopped !== undefined) break;
      listed.push(copier.below(position, place) ?? {});
    }
  }
  if (own(schema, 'uniqueItems') === true) put('uniqueItems', true);
  if (!typesOf(type).includes('array')) return;
  const others = rest === undefined ? {} : (copier.below(rest, place) ?? {});
  if (listed.length === 0) {
    put('items', others);
    return;
  }
  if (rest === false) put('maxItems', listed.length);
  if (copier.rules.keywords.has('prefixItems')) {
    put('prefixItems', listed);
    put('items', others);
  } else {
    const closed = rest === false || rest === undefined;
    put('items', (closed ? listed : [...listed, others]).reduce(either));
  }
}
