import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { readFacts, type Import } from './imports.ts';
import { entryFiles, messageFolders, refusedNames, typesOnly, type Layer, type LayerTable } from './layers.ts';

/** One file, and the layer it is in. Paths are relative to the root, with forward slashes. */
interface Place {
  readonly file: string;
  readonly name: string;
  readonly layer: Layer;
}

const EXTENSION = /\.(tsx?|css|json|svg|png)(\?\w+)?$/;
const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
const first = (path: string): string => path.split('/')[0] ?? '';
const sliceOf = (path: string): string => (path.split('/')[1] ?? '').replace(/\.\w+$/, '');

function crossing({ name, layer }: Place, target: string, typeOnly: boolean): string | undefined {
  const other = first(target);
  if (typesOnly.some((rule) => rule.from === name && target.startsWith(rule.to)) && !typeOnly) return `only types may come from ${target}`;
  if (other === name || layer.mayImport.includes(other)) return undefined;
  if (!layer.typesFrom?.includes(other)) return `${name} may not import ${other} (${target})`;
  return typeOnly || layer.values?.includes(target) ? undefined : `only types may come from ${target}`;
}

function withinLayer({ file, name, layer }: Place, target: string): string | undefined {
  if (first(target) !== name) return undefined;
  if (layer.order) {
    const [here, there] = [layer.order.indexOf(sliceOf(file)), layer.order.indexOf(sliceOf(target))];
    if (there >= 0 && here >= 0 && there < here) return `${sliceOf(file)} may not import upwards (${target})`;
  }
  const [, slice = '', part] = target.split('/');
  const [, ownSlice, ownPart] = file.split('/');
  if (layer.apart?.includes(slice) && slice === ownSlice && part !== ownPart) return `${slice} may not import each other (${target})`;
  return undefined;
}

function checkImport(place: Place, { to, typeOnly }: Import): (string | undefined)[] {
  if (!to.startsWith('.')) {
    return [place.layer.packages.some((pattern) => matches(pattern, to)) ? undefined : `${place.name} may not use '${to}'`];
  }
  const target = posix.join(posix.dirname(place.file), to.replace(/\?\w+$/, ''));
  return [
    EXTENSION.test(to) ? undefined : `'${to}' lacks its extension`,
    crossing(place, target, typeOnly),
    withinLayer(place, target),
  ];
}

function checkFile(place: Place, text: string): string[] {
  const { file, layer } = place;
  const facts = readFacts(file, text);
  const slices = layer.order && /\.tsx?$/.test(file) && !file.endsWith('.d.ts');
  const mayMessage = messageFolders.some((folder) => file.startsWith(folder));
  const problems = [
    slices && !layer.order.includes(sliceOf(file)) ? `'${sliceOf(file)}' is not a listed slice of ${place.name}` : undefined,
    refusedNames.test(file) ? 'name it after what is in it' : undefined,
    /(^|\/)index\.tsx?$/.test(file) && !entryFiles.some((entry) => entry === file) ? 'no index files' : undefined,
    ...(layer.standardOnly ? facts.typeReferences.map((types) => `${place.name} may not refer to the types of '${types}'`) : []),
    ...(mayMessage ? [] : facts.messages.map((name) => `${name} belongs in ${messageFolders.join(' and ')}`)),
    ...facts.imports.flatMap((one) => checkImport(place, one)),
  ];
  return problems.filter((problem) => problem !== undefined).map((problem) => `${file}: ${problem}`);
}

/** What breaks the table, one line each; tests beside the code may import anything. */
export function checkLayers(root: string, table: LayerTable): string[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .toSorted();
  return files.flatMap((file) => {
    const name = first(file);
    const layer = Object.hasOwn(table, name) ? table[name] : undefined;
    return layer ? checkFile({ file, name, layer }, readFileSync(join(root, file), 'utf8')) : [`${file}: no layer '${name}'`];
  });
}
