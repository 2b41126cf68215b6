import type { JsonObject } from '../../../shared/model/catalog.ts';
import { isObject, own } from './json.ts';

export type Resolved =
  | { readonly kind: 'found'; readonly schema: unknown }
  /** Names a document that is not here. It is never fetched. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'missing' };

const longestReference = 1000;
const scanLimit = 50_000;

/** Finds what a `$ref` within one schema means: pointers, anchors, and ids of parts of the same document. */
export class References {
  readonly #root: JsonObject;
  #named: ReadonlyMap<string, unknown> | undefined;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  resolve(reference: string): Resolved {
    if (reference.length > longestReference) return { kind: 'missing' };
    const hash = reference.indexOf('#');
    const document = hash === -1 ? reference : reference.slice(0, hash);
    const fragment = hash === -1 ? '' : reference.slice(hash + 1);
    const base = document === '' ? this.#root : this.#names().get(document);
    if (base === undefined) return { kind: 'elsewhere' };
    if (fragment === '') return { kind: 'found', schema: base };
    const schema = fragment.startsWith('/') ? pointed(base, fragment) : this.#names().get(`#${fragment}`);
    return schema === undefined ? { kind: 'missing' } : { kind: 'found', schema };
  }

  /** Anchors as `#name` and ids as they are written. Looked for only when a schema uses them. */
  #names(): ReadonlyMap<string, unknown> {
    if (this.#named !== undefined) return this.#named;
    const named = new Map<string, unknown>();
    const open: unknown[] = [this.#root];
    for (let seen = 0; open.length > 0 && seen < scanLimit; seen += 1) {
      const node = open.pop();
      if (Array.isArray(node)) for (const item of node.slice(0, scanLimit)) open.push(item);
      if (!isObject(node)) continue;
      for (const key of ['$anchor', '$dynamicAnchor']) {
        const anchor = own(node, key);
        if (typeof anchor === 'string' && !named.has(`#${anchor}`)) named.set(`#${anchor}`, node);
      }
      for (const key of ['$id', 'id']) {
        const id = own(node, key);
        if (typeof id === 'string' && id !== '' && !named.has(id)) named.set(id.replace(/#$/, ''), node);
      }
      for (const value of Object.values(node)) if (typeof value === 'object' && value !== null) open.push(value);
    }
    this.#named = named;
    return named;
  }
}

function pointed(base: unknown, fragment: string): unknown {
  let node = base;
  for (const step of fragment.slice(1).split('/')) {
    const key = decoded(step)?.replaceAll('~1', '/').replaceAll('~0', '~');
    if (key === undefined) return undefined;
    if (Array.isArray(node)) node = /^\d{1,6}$/.test(key) ? node[Number(key)] : undefined;
    else node = isObject(node) ? own(node, key) : undefined;
  }
  return node;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
