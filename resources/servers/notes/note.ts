import { randomInt } from 'node:crypto';

export const LIMITS = { title: 200, textBytes: 1_048_576, tags: 20, tag: 50 } as const;

/** What is known of a note without its text. Times are ISO 8601 in UTC. */
export interface NoteHeader {
  readonly id: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly created: string;
  readonly updated: string;
}
export interface Note extends NoteHeader {
  readonly text: string;
  /** Front matter that a person added: kept as it is. */
  readonly otherLines: readonly string[];
  /** Writing such a file back would lose something, so it is only read. */
  readonly readOnly?: 'not-utf8' | 'too-large';
}
/** What the file system says of a note's file. */
export interface FileTimes {
  readonly created: Date;
  readonly modified: Date;
}

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_LENGTH = 9;
const RANDOM_LENGTH = 3;

/** Twelve characters that sort by time and mean the same in every file system, with or without letter case. */
export function createNoteId(ms: number): string {
  let time = '';
  for (let rest = ms; time.length < TIME_LENGTH; rest = Math.floor(rest / 32)) time = `${DIGITS[rest % 32] ?? ''}${time}`;
  return time + Array.from({ length: RANDOM_LENGTH }, () => DIGITS[randomInt(32)] ?? '').join('');
}

/** Files may have any name that a person gives them; what could leave the folder, hide in it or mean a stream on Windows is no id. */
export function isNoteId(text: string): boolean {
  return text.length > 0 && text.length <= 120 && !/[/\\:*?"<>|\p{Cc}\p{Cs}]/u.test(text) && !text.startsWith('.');
}

/** Read the same by every YAML reader without quotes. */
const plain = (text: string): boolean =>
  /^\p{L}[\p{L}\p{N} _.,!?()/-]*$/u.test(text) && !/ $|^(true|false|null|yes|no|on|off)$/i.test(text);
const quoted = (text: string): string => (plain(text) ? text : JSON.stringify(text));

function unquoted(text: string): string {
  const value = text.trim();
  if (value.startsWith('"')) {
    try {
      const parsed: unknown = JSON.parse(value);
      if (typeof parsed === 'string') return parsed;
    } catch {
      return value.replace(/^"|"$/g, '');
    }
  }
  return /^'.*'$/.test(value) ? value.slice(1, -1).replaceAll("''", "'") : value;
}

/** `[a, "b, c"]`, or `a, b` as people write it. */
function listOf(text: string): string[] {
  const inner = text.trim().replace(/^\[(.*)\]$/, '$1');
  const items = inner.match(/\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^,]+)/g) ?? [];
  return items.map(unquoted).filter((item) => item !== '');
}

export function formatNote(note: Pick<Note, 'title' | 'tags' | 'created' | 'updated' | 'text' | 'otherLines'>): string {
  const lines = [
    `title: ${quoted(note.title)}`,
    // A comma inside a tag would make two of it.
    `tags: [${note.tags.map((tag) => (tag.includes(',') ? JSON.stringify(tag) : quoted(tag))).join(', ')}]`,
    `created: ${note.created}`,
    `updated: ${note.updated}`,
    ...note.otherLines,
  ];
  return `---\n${lines.join('\n')}\n---\n\n${note.text}`;
}

interface FrontMatter {
  readonly known: ReadonlyMap<string, string>;
  readonly tags: readonly string[];
  readonly otherLines: readonly string[];
}

function readFrontMatter(lines: readonly string[]): FrontMatter {
  const known = new Map<string, string>();
  const tags: string[] = [];
  const otherLines: string[] = [];
  let inTags = false;
  for (const line of lines) {
    const item = inTags ? /^\s*-\s+(.*)$/.exec(line)?.[1] : undefined;
    if (item !== undefined) {
      tags.push(unquoted(item));
      continue;
    }
    const [, key = '', value = ''] = /^(title|tags|created|updated):(.*)$/.exec(line) ?? [];
    inTags = key === 'tags' && value.trim() === '';
    if (key === 'tags') tags.push(...listOf(value));
    else if (key !== '') known.set(key, unquoted(value));
    else otherLines.push(line);
  }
  return { known, tags, otherLines };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, LIMITS.title).replaceAll(/\p{Cs}/gu, '');

function titleFrom(text: string, id: string): string {
  const line = text.split('\n').find((one) => one.trim() !== '') ?? '';
  return oneLine(line.replace(/^#+\s+/, '')) || id;
}

const timeOf = (text: string | undefined): Date | undefined => {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : new Date(ms);
};

/** Never fails: a file without front matter, or with a broken one, is a note with what can be known of it. */
export function parseNote(id: string, source: string, times: FileTimes): Note {
  const content = source.replace(/^\uFEFF/, '');
  const [whole = '', header = ''] = /^---[ \t]*\r?\n((?:[^\n]*\n)*?)---[ \t]*(?:\r?\n|$)/.exec(content) ?? [];
  const { known, tags, otherLines } = readFrontMatter(header.split(/\r?\n/).slice(0, -1));
  const text = whole === '' ? content : content.slice(whole.length).replace(/^\r?\n/, '');
  const updated = timeOf(known.get('updated'));
  return {
    id,
    title: oneLine(known.get('title') ?? '') || titleFrom(text, id),
    tags: [...new Set(tags)],
    created: (timeOf(known.get('created')) ?? times.created).toISOString(),
    // An editor changes the file's time, not the line that says it.
    updated: (updated && updated > times.modified ? updated : times.modified).toISOString(),
    text,
    otherLines,
  };
}

/** A short piece of the text on one line, around the first of `words` found in it. */
export function excerptOf(text: string, words: readonly string[], length = 160): string {
  const lower = text.toLowerCase();
  const hits = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const start = hits.length === 0 ? 0 : Math.max(0, Math.min(...hits) - Math.floor(length / 3));
  const piece = text.slice(start, start + length * 2).replaceAll(/\s+/g, ' ').trim();
  const cut = piece.length > length ? `${piece.slice(0, length - 1)}…` : piece;
  // A cut may have gone through the middle of a character.
  return (start > 0 ? `…${cut}` : cut).replaceAll(/\p{Cs}/gu, '');
}
