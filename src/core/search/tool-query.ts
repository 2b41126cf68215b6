import { intentOfWish } from './intents.ts';
import { stemOf } from './stem.ts';
import { isStopWord, wordWeight } from './word-weights.ts';
import { wordsOf } from './words.ts';

export interface QueryWord {
  readonly word: string;
  readonly stem: string;
  /** Between 0 and 1. */
  readonly weight: number;
  /** A capital within a sentence: a name, not a slip of the hand. */
  readonly isName: boolean;
  readonly unfinished: boolean;
}

/** One thing that is asked for. `intent` is a mask of families of verbs; 0 says nothing. */
export interface Wish {
  readonly words: readonly QueryWord[];
  readonly intent: number;
}

export interface ToolQuery {
  /** All words that were said. */
  readonly whole: Wish;
  /** The steps of a longer task, those that it only implies among them; empty when one thing is asked for. */
  readonly steps: readonly Wish[];
}

const mostCharacters = 4000;
const mostWords = 100;
const mostSteps = 24;
const taskWords = 9;
const weights = { path: 0.35, impliedFile: 0.6 };

const stems = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(stemOf));
const readCues = stems('read open load parse convert analyze under compare check use from locate');
const writeCues = stems('save write store generate create download export output produce put record as to into summarize draft make');
const timeWords = new Set(['today', 'tomorrow', 'yesterday', 'tonight', 'now']);
const timeQualifiers = new Set(['next', 'last', 'past', 'these']);
const timeUnits = stems('day week month year hour weekend');
const fileName = /^(?:~|\.{0,2})?[\\/]?(?:[^\s\\/]+[\\/])*[^\s\\/]*\.([A-Za-z][A-Za-z0-9]{0,4})$/;
const bareExtensions = new Set('txt md csv tsv json yaml yml xml html pdf doc docx xls xlsx ppt pptx png jpg jpeg gif svg mp3 wav mp4 zip log py sql bib'.split(' '));

/** Reads what is asked: sentences and their parts are wishes; paths, relative dates and addresses stand for what is done with them. Of a text without end only the beginning is read. */
export function parseQuery(text: string, typing: boolean): ToolQuery {
  const reader = new WishReader(typing && /[\p{L}\p{N}]$/u.test(text));
  reader.read(text.slice(0, mostCharacters).replace(/[，。、！？；：]/gu, '$& '));
  return reader.result();
}

class WishReader {
  readonly #lastUnfinished: boolean;
  readonly #wishes: Wish[] = [];
  #words = new Map<string, QueryWord>();
  #firstWord: string | undefined;
  #previous = '';
  #cue: 'read' | 'write' | undefined;
  #asksTime = false;
  readonly #files = new Set<'read' | 'write'>();
  #spoken = 0;

  constructor(lastUnfinished: boolean) {
    this.#lastUnfinished = lastUnfinished;
  }

  read(text: string): void {
    const tokens = text.split(/(\n)|[^\S\n]+/u).filter((token) => token !== undefined && token !== '');
    tokens.forEach((token, at) => {
      if (token === '\n') return this.#endWish(true);
      if (/^(?:and|then|or)$/i.test(token)) {
        this.#note(token.toLowerCase());
        return this.#endWish(false);
      }
      const bare = token.replace(/^[\p{Ps}\p{Pi}"'`]+|[\p{Pe}\p{Pf}"'`.,;:!?，。、！？；：]+$/gu, '');
      this.#token(bare, at === tokens.length - 1);
      if (/[.,;:!?，。、！？；：]["'’”)]*$/u.test(token)) this.#endWish(true);
    });
    this.#endWish(true);
  }

  result(): ToolQuery {
    const implied = [...(this.#files.has('write') ? [impliedWish('write file')] : []), ...(this.#files.has('read') ? [impliedWish('read file')] : []), ...(this.#asksTime ? [impliedWish('current time date')] : [])];
    const steps = [...this.#wishes, ...implied].slice(0, mostSteps);
    const all = this.#wishes.flatMap(({ words }) => words);
    if (steps.length > 1 && all.length >= taskWords) return { whole: { words: merged(all), intent: 0 }, steps };
    const files = [...this.#files].flatMap((use) => impliedWish(`${use} file`).words.map((word) => ({ ...word, weight: weights.impliedFile })));
    return { whole: { words: merged([...all, ...files]), intent: steps.length === 1 ? (steps[0]?.intent ?? 0) : 0 }, steps: [] };
  }

  #token(token: string, isLast: boolean): void {
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(token)) {
      this.#add('url', 1, false, false);
      for (const word of wordsOf(token)) this.#add(word, weights.path, true, false);
      return;
    }
    const file = fileName.exec(token);
    if (file && (/[\\/]/.test(token) || bareExtensions.has((file[1] ?? '').toLowerCase()))) return this.#file(token, (file[1] ?? '').toLowerCase());
    const isName = this.#firstWord !== undefined && /^\p{Lu}\p{Ll}/u.test(token);
    const words = wordsOf(token);
    words.forEach((word, at) => {
      this.#note(word);
      const unfinished = this.#lastUnfinished && isLast && at === words.length - 1;
      if (unfinished || !isStopWord(word)) this.#add(word, wordWeight(word), isName, unfinished);
    });
  }

  /** Says what is done with the files that follow, and whether the time matters. */
  #note(word: string): void {
    this.#firstWord ??= word;
    const stem = stemOf(word);
    if (readCues.has(stem)) this.#cue = 'read';
    else if (writeCues.has(stem)) this.#cue = 'write';
    if (timeWords.has(word) || (timeQualifiers.has(this.#previous) && (timeUnits.has(stem) || /^\d/.test(word)))) this.#asksTime = true;
    this.#previous = word;
  }

  #file(path: string, extension: string): void {
    this.#files.add(this.#cue ?? (['in', 'at'].includes(this.#previous) ? 'write' : 'read'));
    for (const word of wordsOf(path.slice(0, -extension.length))) if (!isStopWord(word)) this.#add(word, weights.path, true, false);
    this.#add(extension, 1, true, false);
    this.#add('file', 1, true, false);
  }

  #add(word: string, weight: number, isName: boolean, unfinished: boolean): void {
    if (this.#spoken >= mostWords) return;
    const stem = stemOf(word);
    const before = this.#words.get(stem);
    if (before === undefined) this.#spoken += 1;
    if (before === undefined || before.weight < weight || unfinished) this.#words.set(stem, { word, stem, weight: Math.max(weight, before?.weight ?? 0), isName, unfinished });
  }

  #endWish(forgetsCue: boolean): void {
    if (this.#words.size > 0) {
      const words = [...this.#words.values()];
      this.#wishes.push({ words, intent: intentOfWish(words.map(({ stem }) => stem), this.#firstWord) });
    }
    this.#words = new Map();
    this.#firstWord = undefined;
    if (forgetsCue) this.#cue = undefined;
  }
}

function impliedWish(text: string): Wish {
  return { words: text.split(' ').map((word) => ({ word, stem: stemOf(word), weight: 1, isName: true, unfinished: false })), intent: 0 };
}

/** Each stem once, at its greatest weight, where it first stood. */
function merged(words: readonly QueryWord[]): readonly QueryWord[] {
  const byStem = new Map<string, QueryWord>();
  for (const word of words) {
    const before = byStem.get(word.stem);
    if (before === undefined) byStem.set(word.stem, word);
    else if (before.weight < word.weight || word.unfinished) byStem.set(word.stem, { ...word, weight: Math.max(before.weight, word.weight) });
  }
  return [...byStem.values()];
}
