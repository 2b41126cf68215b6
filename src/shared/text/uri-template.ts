/**
 * URI templates of RFC 6570 with string values: levels 1 to 3, and the prefix (`:n`) and explode (`*`) of level 4 as far as a string has them. Servers write
 * them, so nothing here takes longer than the texts are long.
 */
type Operator = '' | '+' | '#' | '.' | '/' | ';' | '?' | '&';
interface Expression {
  readonly operator: Operator;
  readonly names: readonly { readonly name: string; readonly prefix?: number }[];
}
type Piece = string | Expression;
/** For each place of a URI whether it is one of them. */
type Places = Uint8Array<ArrayBuffer>;

const rules: Readonly<Record<Operator, { readonly first: string; readonly between: string; readonly named: boolean; readonly ifEmpty: string; readonly reserved: boolean }>> = {
  '': { first: '', between: ',', named: false, ifEmpty: '', reserved: false },
  '+': { first: '', between: ',', named: false, ifEmpty: '', reserved: true },
  '#': { first: '#', between: ',', named: false, ifEmpty: '', reserved: true },
  '.': { first: '.', between: '.', named: false, ifEmpty: '', reserved: false },
  '/': { first: '/', between: '/', named: false, ifEmpty: '', reserved: false },
  ';': { first: ';', between: ';', named: true, ifEmpty: '', reserved: false },
  '?': { first: '?', between: '&', named: true, ifEmpty: '=', reserved: false },
  '&': { first: '&', between: '&', named: true, ifEmpty: '=', reserved: false },
};

/** The names that it asks for, each once, in order. */
export function templateVariables(template: string): readonly string[] {
  const names = parsed(template).flatMap((piece) => (typeof piece === 'string' ? [] : piece.names.map(({ name }) => name)));
  return [...new Set(names)];
}

/** A variable without a value is left out, as the RFC has it; an empty text is a value. */
export function expandTemplate(template: string, values: Readonly<Record<string, string | undefined>>): string {
  return parsed(template)
    .map((piece) => (typeof piece === 'string' ? piece : expanded(piece, values)))
    .join('');
}

/** Whether the template could have given this URI. A value of a plain variable holds no `/`, `?` or `#`. */
export function matchesTemplate(template: string, uri: string): boolean {
  const pieces = parsed(template);
  if (pieces.length > 64 || uri.length > 8192) return false;
  // Where the pieces so far may end. Each piece looks at each place once.
  let ends: Places = new Uint8Array(uri.length + 1);
  ends[0] = 1;
  for (const piece of pieces) {
    ends = typeof piece === 'string' ? afterLiteral(piece, uri, ends) : afterExpression(piece, uri, ends);
    if (!ends.includes(1)) return false;
  }
  return ends[uri.length] === 1;
}

function parsed(template: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of template.matchAll(/\{([^{}]*)\}/g)) {
    if (match.index > at) pieces.push(template.slice(at, match.index));
    pieces.push(expressionOf(match[1] ?? '') ?? match[0]);
    at = match.index + match[0].length;
  }
  if (at < template.length) pieces.push(template.slice(at));
  return pieces;
}

const isOperator = (text: string): text is Operator => text !== '' && text in rules;
/** What is no expression stands for itself. */
function expressionOf(text: string): Expression | undefined {
  const head = text.slice(0, 1);
  const operator = isOperator(head) ? head : '';
  const names = text
    .slice(operator.length)
    .split(',')
    .map((one) => /^([\w.%-]+)(?::(\d{1,4})|\*)?$/.exec(one.trim()));
  if (names.some((name) => name === null)) return undefined;
  return { operator, names: names.map((name) => ({ name: name?.[1] ?? '', ...(name?.[2] === undefined ? {} : { prefix: Number(name[2]) }) })) };
}

function expanded({ operator, names }: Expression, values: Readonly<Record<string, string | undefined>>): string {
  const rule = rules[operator];
  const given = names.flatMap(({ name, prefix }) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return [];
    const cut = prefix === undefined ? value : Array.from(value).slice(0, prefix).join('');
    const text = rule.reserved ? encodedReserved(cut) : encoded(cut);
    return [rule.named ? name + (text === '' ? rule.ifEmpty : `=${text}`) : text];
  });
  return given.length === 0 ? '' : rule.first + given.join(rule.between);
}

/** Half a character of a pair cannot be encoded. */
const wellFormed = (text: string): string => text.replace(/[\uD800-\uDFFF]/gu, '\uFFFD');
const encoded = (text: string): string => encodeURIComponent(wellFormed(text)).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
/** Reserved characters and what is encoded already stay. */
const encodedReserved = (text: string): string => encodeURI(wellFormed(text)).replaceAll('%5B', '[').replaceAll('%5D', ']').replace(/%25([0-9A-Fa-f]{2})/g, '%$1');

function afterLiteral(literal: string, uri: string, from: Places): Places {
  const ends = new Uint8Array(from.length);
  for (let at = from.indexOf(1); at >= 0; at = from.indexOf(1, at + 1)) if (uri.startsWith(literal, at)) ends[at + literal.length] = 1;
  return ends;
}

function afterExpression({ operator, names }: Expression, uri: string, from: Places): Places {
  const { first, reserved } = rules[operator];
  const most = operator === '/' ? names.length : Number.POSITIVE_INFINITY;
  const inside = (char: string | undefined): boolean => {
    if (char === undefined) return false;
    if (reserved || operator === '/') return reserved || (char !== '?' && char !== '#');
    return operator === '?' || operator === '&' ? char !== '#' : !'/?#'.includes(char);
  };
  const ends = new Uint8Array(from.length);
  for (let at = from.indexOf(1); at >= 0; at = from.indexOf(1, at + 1)) {
    if (first !== '' && uri[at] !== first) continue;
    let slashes = 1;
    for (let end = at + first.length; ends[end] !== 1; end += 1) {
      ends[end] = 1;
      const char = uri[end];
      if (char === '/') slashes += 1;
      if (!inside(char) || slashes > most) break;
    }
  }
  // With all of its variables left out, the first character is left out too.
  return first === '' ? ends : ends.map((reached, at) => reached | (from[at] ?? 0));
}
