import type { Node } from 'jsonc-parser';
import { looksSecret } from '../../shared/text/looks-secret.ts';
import { holdsVariable } from '../../shared/model/server-definition.ts';
import { endOf, jsonTree, membersOf } from './json-tree.ts';
import { literalsOf, mask } from './literals.ts';
import { Secret } from '../kernel/secret.ts';
import { Redactor } from '../secrets/redactor.ts';
import { readSource } from './read-source.ts';
import { secretSpans } from './secret-text.ts';

/** Members whose names sound secret and whose values are names of something. */
export const openKeys: ReadonlySet<string> = new Set(['secretRef', 'bearerTokenEnv', 'auth', 'scope', 'grantType']);

/**
 * A JSON file of ours for people: `•••` in place of everything that looks secret, in entries that cannot be used too. Line by line the same otherwise, so that two
 * of them can be compared. A text that does not parse is masked as a whole.
 */
export function maskText(text: string): string {
  const tree = jsonTree(text);
  if (tree.kind === 'broken') return text === '' ? '' : mask;
  if (!tree.root) return text;
  const values = new Set(readSource(text, { file: '', shape: 'gatehouse' }).entries.flatMap(({ name, fields }) => literalsOf(name, fields, 'global').map(({ value }) => value)));
  const redactor = new Redactor();
  for (const value of values) redactor.register(new Secret(value));
  // A secret's value that also stands elsewhere is the same secret there.
  const known = (leaf: string): string => (values.has(leaf) ? mask : redactor.mask(leaf));
  return leavesOf(tree.root, '').reduceRight((masked, { node, key }) => {
    const shown = shownOf(String(node.value), key, known);
    return shown === node.value ? masked : masked.slice(0, node.offset) + JSON.stringify(shown) + masked.slice(endOf(node));
  }, text);
}

interface Leaf {
  readonly node: Node;
  /** The nearest name that says what it is. */
  readonly key: string;
}
/** Strings that are values, in the order of the text. */
function leavesOf(node: Node, key: string): readonly Leaf[] {
  switch (node.type) {
    case 'object':
      return membersOf(node).flatMap((member) => leavesOf(member.value, member.key === 'plain' ? key : member.key));
    case 'array':
      return (node.children ?? []).flatMap((child) => leavesOf(child, key));
    case 'string':
      return [{ node, key }];
    default:
      return [];
  }
}

function shownOf(text: string, key: string, known: (text: string) => string): string {
  if (openKeys.has(key)) return text;
  const without = known(text);
  if (without !== text) return without;
  if (holdsVariable(text) || text.startsWith('!')) return text;
  if (looksSecret(key)) return text === '' ? '' : mask;
  return secretSpans(text).reduceRight((shown, { start, end }) => shown.slice(0, start) + mask + shown.slice(end), text);
}
