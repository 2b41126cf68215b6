/** Forms that no rule reaches, each with the word that stands for it. */
const irregular = new Map(
  Object.entries({
    analyses: 'analyze', analysis: 'analyze', analytic: 'analyze', analytics: 'analyze', analytical: 'analyze', analyse: 'analyze', analysed: 'analyze', analysing: 'analyze',
    bought: 'buy', built: 'build', children: 'child', chose: 'choose', chosen: 'choose', comparison: 'compare', comparisons: 'compare', conversion: 'convert', conversions: 'convert',
    criteria: 'criterion', drawn: 'draw', drew: 'draw', found: 'find', gave: 'give', given: 'give', got: 'get', gotten: 'get', held: 'hold', indices: 'index', indexes: 'index', kept: 'keep',
    made: 'make', matrices: 'matrix', media: 'medium', men: 'man', people: 'person', persons: 'person', ran: 'run', sent: 'send', shown: 'show', sold: 'sell', spoke: 'speak', spoken: 'speak',
    statuses: 'status', taken: 'take', thought: 'think', took: 'take', vertices: 'vertex', women: 'woman', written: 'write', wrote: 'write', news: 'news', does: 'do', done: 'do', goes: 'go', went: 'go',
    series: 'series', species: 'species', bus: 'bus', gas: 'gas', lens: 'lens', alias: 'alias', canvas: 'canvas', atlas: 'atlas',
  }),
);

const vowel = /[aeiouy]/;
const known = new Map<string, string>();
const mostKnown = 50_000;

/**
 * The stem that forms of one English word share (M. F. Porter, "An algorithm for suffix stripping", 1980, with its later `-logi` and `-ly` rules and
 * a table of irregular forms). Stems are for comparing, not for reading. Words that are not plain English letters stay as they are.
 */
export function stemOf(word: string): string {
  let stem = known.get(word);
  if (stem === undefined) {
    stem = word.length < 3 || word.length > 32 || !/^[a-z]+$/.test(word) ? word : porter(irregular.get(word) ?? word);
    // Servers choose the words: what they send must not grow without end.
    if (known.size >= mostKnown) known.clear();
    known.set(word, stem);
  }
  return stem;
}

/** How often a vowel is followed by a consonant: Porter's measure of a stem's length. */
function measure(stem: string): number {
  let count = 0;
  let wasVowel = false;
  for (let at = 0; at < stem.length; at += 1) {
    const isVowel = vowelAt(stem, at);
    if (wasVowel && !isVowel) count += 1;
    wasVowel = isVowel;
  }
  return count;
}

function vowelAt(word: string, at: number): boolean {
  const letter = word.charAt(at);
  if (letter === 'y') return at > 0 && !vowelAt(word, at - 1);
  return letter !== '' && 'aeiou'.includes(letter);
}

const hasVowel = (stem: string): boolean => vowel.test(stem.charAt(0) === 'y' ? stem.slice(1) : stem);
const doubled = (word: string): boolean => word.length > 1 && word.at(-1) === word.at(-2) && !vowelAt(word, word.length - 1);
/** Consonant, vowel, consonant other than w, x and y: a short syllable, which takes an `e` again. */
const short = (word: string): boolean => {
  const end = word.length - 1;
  return end >= 2 && !vowelAt(word, end) && vowelAt(word, end - 1) && !vowelAt(word, end - 2) && !'wxy'.includes(word.charAt(end));
};

const step2: readonly (readonly [string, string])[] = [
  ['ational', 'ate'], ['tional', 'tion'], ['enci', 'ence'], ['anci', 'ance'], ['izer', 'ize'], ['abli', 'able'], ['alli', 'al'], ['entli', 'ent'], ['eli', 'e'], ['ousli', 'ous'],
  ['ization', 'ize'], ['ation', 'ate'], ['ator', 'ate'], ['alism', 'al'], ['iveness', 'ive'], ['fulness', 'ful'], ['ousness', 'ous'], ['aliti', 'al'], ['iviti', 'ive'], ['biliti', 'ble'], ['logi', 'log'],
];
const step3: readonly (readonly [string, string])[] = [['icate', 'ic'], ['ative', ''], ['alize', 'al'], ['iciti', 'ic'], ['ical', 'ic'], ['ful', ''], ['ness', '']];
const step4 = ['al', 'ance', 'ence', 'er', 'ic', 'able', 'ible', 'ant', 'ement', 'ment', 'ent', 'ou', 'ism', 'ate', 'iti', 'ous', 'ive', 'ize'];

function porter(word: string): string {
  let stem = plural(word);
  stem = pastAndProgressive(stem);
  if (stem.endsWith('y') && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  stem = replaceEnd(stem, step2, 0);
  stem = replaceEnd(stem, step3, 0);
  stem = dropEnd(stem);
  if (stem.endsWith('e')) {
    const rest = stem.slice(0, -1);
    if (measure(rest) > 1 || (measure(rest) === 1 && !short(rest))) stem = rest;
  }
  return stem.endsWith('ll') && measure(stem.slice(0, -1)) > 1 ? stem.slice(0, -1) : stem;
}

function plural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.length === 4 && word.endsWith('ies') ? word.slice(0, -1) : word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') && !word.endsWith('us') && !word.endsWith('is') ? word.slice(0, -1) : word;
}

function pastAndProgressive(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const ending = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
  const stem = word.slice(0, word.length - ending);
  if (ending === 0 || !hasVowel(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (doubled(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1);
  return measure(stem) === 1 && short(stem) ? `${stem}e` : stem;
}

function replaceEnd(word: string, rules: readonly (readonly [string, string])[], least: number): string {
  for (const [ending, by] of rules) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    return measure(stem) > least ? stem + by : word;
  }
  return word;
}

function dropEnd(word: string): string {
  const ending = step4.find((each) => word.endsWith(each)) ?? (/[st]ion$/.test(word) ? 'ion' : undefined);
  if (ending === undefined) return word;
  const stem = word.slice(0, -ending.length);
  return measure(stem) > 1 ? stem : word;
}
