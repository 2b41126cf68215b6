import { isAlias, isMap, isScalar, isSeq, parseDocument, type Document as YamlFile } from 'yaml';
import { Budget, maxDepth, scalar, type DocNode, type YamlReader } from './document.ts';

/**
 * Its reader takes time by the square of what is wrong, and a call for each level of nesting: hostile text is refused before. goose's own files are a
 * few KiB.
 */
const maxYaml = 64 * 1024;
const maxYamlLine = 10_000;
const maxYamlNodes = 20_000;
function refusedYaml(body: string): string | undefined {
  if (body.length > maxYaml) return 'It is too large';
  let depth = 0;
  let lineStart = 0;
  for (let at = 0; at < body.length; at++) {
    const character = body[at];
    if (character === '\n') lineStart = at + 1;
    else if (at - lineStart > maxYamlLine) return 'A line of it is too long';
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth = Math.max(0, depth - 1);
    if (depth > maxDepth) return 'It is nested too deeply';
  }
  return /(?:[-?:][ \t]+){100}/.test(body) ? 'It is nested too deeply' : undefined;
}

/** Called by `parseText` alone, which turns what it throws into a result. */
export const readYaml: YamlReader = (body, place) => {
  const refused = refusedYaml(body);
  if (refused !== undefined) return { ok: false, message: refused };
  const file = parseDocument(body, { prettyErrors: false, uniqueKeys: false, logLevel: 'silent' });
  const error = file.errors[0];
  if (error) return { ok: false, message: `It is not valid YAML: ${error.message.split('\n')[0] ?? ''}`, place: place(error.pos[0]) };
  return file.contents === null ? { ok: true, place } : { ok: true, root: fromYaml(file.contents, file, 0, new Budget(maxYamlNodes)), place };
};

function fromYaml(node: unknown, file: YamlFile, above: number, budget: Budget): DocNode {
  return budget.within(() => {
    if (isAlias(node)) return fromYaml(node.resolve(file), file, node.range?.[0] ?? above, budget);
    if (isMap(node)) {
      const offset = node.range?.[0] ?? above;
      const members = node.items.map(({ key, value }) => {
        const at = (isScalar(key) ? key.range?.[0] : undefined) ?? offset;
        return { key: isScalar(key) ? String(key.value) : '', offset: at, value: fromYaml(value, file, at, budget) };
      });
      return { kind: 'object', offset, members };
    }
    if (isSeq(node)) return { kind: 'array', offset: node.range?.[0] ?? above, items: node.items.map((item) => fromYaml(item, file, above, budget)) };
    return { kind: 'scalar', offset: (isScalar(node) ? node.range?.[0] : undefined) ?? above, value: scalar(isScalar(node) ? node.value : null) };
  });
}
