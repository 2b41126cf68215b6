import { applyEdits } from 'jsonc-parser';
import { AppError } from '../../shared/errors.ts';
import { hashOf } from '../kernel/hash.ts';
import { foreignTo, knownWithin, spellingsOf, typeFits, wayOf } from './field-names.ts';
import { withMember, withoutMember, withPath, withPiece } from './json-merge.ts';
import { insertChild, jsonText, memberText, removeChild, styleAt, styleOf, type Style } from './json-splice.ts';
import { endOf, jsonTree, memberOf, membersOf, notAn, objectRoot, valueOf } from './json-tree.ts';
import { allOf, entriesOf, entryOf, nameOf } from './server-entries.ts';
import { mapSwitch, serversPlaces, switchesIn, type ServersPlace } from './servers-place.ts';

type Fields = Readonly<Record<string, unknown>>;
/** One change to a file of ours, in JSON; `fields` by the names of our own files, as JSON data. */
export type FileEdit =
  /**
   * Adds or changes an entry. A field that is `undefined` is taken out; one that is not named stays, unless the new way of reaching the server
   * does not know it.
   */
  | { readonly op: 'put'; readonly name: string; readonly fields: Fields; readonly previousName?: string }
  /** `null` takes a field out. An entry that then holds nothing goes. */
  | { readonly op: 'patch'; readonly name: string; readonly fields: Fields }
  | { readonly op: 'remove'; readonly name: string }
  /** The switch of all servers of the file; `null` takes it out. */
  | { readonly op: 'switch'; readonly enabled: boolean | null }
  /** Anything else of the file, such as `imports` or `settings.sampling`; `undefined` takes it out. */
  | { readonly op: 'set'; readonly path: readonly string[]; readonly value: unknown };

const beginning = (eol: string): string => `{${eol}  "mcpServers": {}${eol}}${eol}`;

/**
 * The file's text after the edits. Only what must say something else is touched: comments, order, unknown keys, line ends and indentation stay.
 * Edits that ask for nothing new give the same text, `''` for no file. Throws `config/invalid` with `line` and `column` for a text that cannot be
 * edited safely, `server/exists` for a rename onto a taken name.
 */
export function editSource(text: string | undefined, edits: readonly FileEdit[]): string {
  let current = text ?? '';
  for (let at = 0; at < edits.length; ) {
    const fresh = newPuts(current, edits.slice(at));
    const [edit] = edits.slice(at, at + 1);
    current = fresh.length > 1 ? addedAll(current, fresh) : edit ? edited(current, edit) : current;
    at += Math.max(1, fresh.length);
  }
  return current;
}

/** Changes when anything of the entry's own text does; `absent` when the file has no such entry. */
export const entryMark = (text: string | undefined, name: string): string => entryMarks(text, [name]).get(name) ?? 'absent';

export function entryMarks(text: string | undefined, names: readonly string[]): ReadonlyMap<string, string> {
  const tree = jsonTree(text ?? '');
  const places = tree.kind === 'broken' || !tree.root ? [] : serversPlaces(tree.root);
  return new Map(names.map((name) => {
    const found = entriesOf(places, name);
    return [name, found.length === 0 ? 'absent' : hashOf(found.map(({ whole }) => (text ?? '').slice(whole.offset, endOf(whole))))];
  }));
}

function edited(text: string, edit: FileEdit): string {
  switch (edit.op) {
    case 'put': return put(begun(text), edit);
    case 'patch': {
      const fields = Object.fromEntries(Object.entries(edit.fields).map(([key, value]) => [key, value ?? undefined]));
      const adds = Object.values(fields).some((value) => value !== undefined);
      return patch(adds ? begun(text) : text, edit.name, fields, adds);
    }
    case 'remove': return remove(text, edit.name);
    case 'switch': return switched(text, edit.enabled);
    case 'set': {
      const current = edit.value === undefined ? text : begun(text);
      return hasRoot(current) ? withPath(current, edit.path, edit.value, styleOf(current)) : text;
    }
  }
}

/** A text with nothing but blanks begins anew; comments that stand alone stay above. */
function begun(text: string): string {
  const { eol } = styleOf(text);
  if (text.trim() === '') return beginning(eol);
  if (hasRoot(text)) return text;
  return `${text}${/[\r\n]$/.test(text) ? '' : eol}${beginning(eol)}`;
}

function hasRoot(text: string): boolean {
  const tree = jsonTree(text);
  return tree.kind === 'broken' || tree.root !== undefined;
}

function put(text: string, { name, fields, previousName }: Extract<FileEdit, { op: 'put' }>): string {
  const renaming = previousName !== undefined && previousName !== name && entryOf(text, previousName) !== undefined;
  if (renaming && previousName.trim() !== name.trim() && entryOf(text, name)) {
    throw new AppError('server/exists', `There is a server “${name}” already`, { data: { name } });
  }
  const current = renaming ? renamed(text, previousName, name) : text;
  const entry = entryOf(current, name);
  if (!entry) return added(current, name, fields);
  const style = styleAt(current, entry.whole, styleOf(current));
  const indent = style.lines ? style.base : undefined;
  return withPiece(current, entry.value, style, (piece) =>
    entry.value.type === 'object' ? changed(withoutForeign(piece, fields, style), fields, style, entry.place) : jsonText(newEntry(name, fields, entry.place), indent, style),
  );
}

type Put = Extract<FileEdit, { op: 'put' }>;

/** The edits at the beginning that only add entries, in a file that has a place for them: all of them are one change to the text. */
function newPuts(text: string, edits: readonly FileEdit[]): readonly Put[] {
  const tree = edits[0]?.op === 'put' && edits[1]?.op === 'put' ? jsonTree(text) : undefined;
  if (tree?.kind !== 'tree' || tree.root?.type !== 'object') return [];
  const places = serversPlaces(tree.root);
  const [place] = places;
  if (!place || place.kind === 'wrong') return [];
  const known = new Set(places.flatMap((one) => (one.kind === 'map' ? membersOf(one.node).map(({ key }) => key.trim()) : (one.node.children ?? []).map((item) => nameOf(item)?.trim()))));
  const puts: Put[] = [];
  for (const edit of edits) {
    if (edit.op !== 'put' || edit.previousName !== undefined || known.has(edit.name.trim())) break;
    known.add(edit.name.trim());
    puts.push(edit);
  }
  return puts;
}

function addedAll(text: string, puts: readonly Put[]): string {
  const style = styleOf(text);
  const place = serversPlaces(objectRoot(text))[0];
  if (!place || place.kind === 'wrong') return puts.reduce<string>(edited, text);
  const one = ({ name, fields }: Put, indent: string | undefined): string => {
    const value = newEntry(name, fields, place);
    return place.kind === 'map' ? memberText(name, value, indent, style) : jsonText(value, indent, style);
  };
  const between = (indent: string | undefined): string => (indent === undefined ? `,${style.compact ? '' : ' '}` : `,${style.eol}${indent}`);
  return applyEdits(text, insertChild(text, place.node, Infinity, (indent) => puts.map((put) => one(put, indent)).join(between(indent)), style));
}

function patch(text: string, name: string, fields: Fields, adds: boolean): string {
  if (!hasRoot(text)) return text;
  const entry = entryOf(text, name);
  if (!entry) return adds ? added(text, name, fields) : text;
  if (entry.value.type !== 'object') throw notAn('object', text, entry.value);
  const style = styleAt(text, entry.whole, styleOf(text));
  const next = withPiece(text, entry.value, style, (piece) => changed(piece, fields, style, entry.place));
  return holdsNothing(next, name) ? remove(next, name) : next;
}

function holdsNothing(text: string, name: string): boolean {
  const entry = entryOf(text, name);
  if (!entry) return false;
  const members = membersOf(entry.value);
  if (members.some(({ key }) => entry.place.kind !== 'list' || key !== 'name')) return false;
  const whole = text.slice(entry.value.offset, endOf(entry.value));
  // A comment is something.
  return !members.reduce((piece, { property }) => piece.replace(text.slice(property.offset, endOf(property)), ''), whole).includes('/');
}

function remove(text: string, name: string): string {
  if (!hasRoot(text)) return text;
  const entry = entryOf(text, name);
  if (!entry || entry.place.kind === 'wrong') return text;
  const index = (entry.place.node.children ?? []).indexOf(entry.whole);
  return remove(applyEdits(text, removeChild(text, entry.place.node, index, styleOf(text))), name);
}

function switched(text: string, enabled: boolean | null): string {
  if (enabled !== null) {
    const current = begun(text);
    return withPath(current, switchPath(current), enabled, styleOf(current));
  }
  if (!hasRoot(text)) return text;
  const path = switchesIn(objectRoot(text))[0];
  return path ? switched(withPath(text, path, undefined, styleOf(text)), null) : text;
}

function switchPath(text: string): readonly string[] {
  const root = objectRoot(text);
  const there = switchesIn(root)[0];
  // What Gatehouse's own key says beats what other programs call it.
  if (there && there[0] !== 'mcp') return there;
  const place = serversPlaces(root)[0];
  return place?.kind === 'list' ? [...place.holder, 'enabled'] : [mapSwitch];
}

/** All entries of that name, so that none of them comes to life. */
function renamed(text: string, from: string, to: string): string {
  const all = allOf(serversPlaces(objectRoot(text)), from).toSorted((a, b) => b.whole.offset - a.whole.offset);
  return all.reduce((current, { place, whole, value }) => {
    const style = styleOf(text);
    const named = nameOf(value)?.trim() === from.trim();
    const inside = named ? withPiece(current, value, style, (piece) => withMember(piece, 'name', to, style)) : current;
    const [key] = whole.children ?? [];
    // Keys that differ in blanks go on doing so: which of them counts stays as it is.
    return place.kind === 'map' && key ? withPiece(inside, key, style, () => JSON.stringify(String(key.value).replace(from.trim(), () => to))) : inside;
  }, text);
}

function added(text: string, name: string, fields: Fields): string {
  const root = objectRoot(text);
  const style = styleOf(text);
  const place = serversPlaces(root)[0];
  if (!place) return withPath(text, ['mcpServers', name], newEntry(name, fields, place), style);
  const value = newEntry(name, fields, place);
  switch (place.kind) {
    case 'wrong': throw notAn('object or array', text, place.node);
    case 'map': return applyEdits(text, insertChild(text, place.node, Infinity, (indent) => memberText(name, value, indent, style), style));
    case 'list': return applyEdits(text, insertChild(text, place.node, Infinity, (indent) => jsonText(value, indent, style), style));
  }
}

function newEntry(name: string, fields: Fields, place: ServersPlace | undefined): Fields {
  const { enabled, disabled, ...rest } = fields;
  const off = offIn({ enabled, disabled });
  const list = place?.kind === 'list';
  return { ...(list ? { name } : {}), ...(off === undefined ? {} : list ? { enabled: !off } : { disabled: off }), ...rest };
}

/** What the two spellings ask for; `undefined` when neither says anything. */
function offIn({ enabled, disabled }: Fields): boolean | undefined {
  if (enabled === undefined) return typeof disabled === 'boolean' ? disabled : undefined;
  return enabled === false;
}

function withoutForeign(text: string, fields: Fields, style: Style): string {
  const way = wayOf(fields);
  if (way === undefined) return text;
  const root = objectRoot(text);
  const given = new Set(Object.keys(fields).filter((key) => fields[key] !== undefined).flatMap(spellingsOf));
  const types = spellingsOf('type').filter((key) => {
    const type = memberOf(root, key);
    return type !== undefined && !typeFits(valueOf(type.value), way);
  });
  return [...foreignTo(way), ...types].filter((key) => !given.has(key)).reduce((piece, key) => withoutMember(piece, key, style), text);
}

function changed(text: string, fields: Fields, style: Style, place: ServersPlace): string {
  const asked = 'enabled' in fields || 'disabled' in fields;
  const rest = Object.entries(fields).filter(([field]) => field !== 'enabled' && field !== 'disabled');
  return rest.reduce((piece, [field, value]) => withField(piece, field, value, style), asked ? withSwitch(text, fields, style, place) : text);
}

/** One spelling says it: the one that is asked for, in lists the one of lists, or the one that is there. */
function withSwitch(text: string, fields: Fields, style: Style, place: ServersPlace): string {
  const root = objectRoot(text);
  const off = offIn(fields);
  const spelled = (fields.disabled !== undefined && place.kind === 'map') || memberOf(root, 'disabled') ? 'disabled' : memberOf(root, 'enabled') || place.kind === 'list' ? 'enabled' : 'disabled';
  const value = off === undefined ? undefined : spelled === 'disabled' ? off : !off;
  return withMember(withoutMember(text, spelled === 'disabled' ? 'enabled' : 'disabled', style), spelled, value, style);
}

function withField(text: string, field: string, value: unknown, style: Style): string {
  const root = objectRoot(text);
  const names = spellingsOf(field);
  const spelled = names.find((name) => memberOf(root, name)) ?? field;
  const others = names.filter((name) => name !== spelled).reduce((piece, name) => withoutMember(piece, name, style), text);
  return withMember(others, spelled, value, style, Object.hasOwn(knownWithin, field) ? knownWithin[field] : undefined);
}
