import { stemOf } from './stem.ts';

const list = (words: string): readonly string[] => words.split(' ');

/** Words that say nothing of what is wanted. */
const stopWords = new Set(
  list(
    'a an the of in on at to for from by with without into onto upon about as is are was were be been being am do does did it its this that these those there here i me my we our us you your he him his she her they them their ' +
      'what which who whom whose when where why how and or but if then else than so such not no nor can could should would may might must shall will please help want need like let tell give show use using used via any some all each ' +
      'every both more most other another only just also very too up out over under again further once per etc ok hi hello make sure based following currently within between during after before until while because through against',
  ),
);
/** Verbs that nearly every tool could begin with. */
const plainVerbs = new Set(list('get find check do look see try keep take provide perform fetch retrieve obtain include including generate create'));
/** Words that qualify rather than name. */
const vagueWords = new Set(
  list(
    'long big much many often far old large small one two three four five six seven eight nine ten first second third next last new latest recent current today tomorrow yesterday now day days week month year full complete detailed ' +
      'detail details comprehensive specific particular relevant related available good best top main key several multiple various different least kind type thing things way ways information result results final finally directly ' +
      'quick quickly simple general overall potential possible important',
  ),
);
/** Parts of a tool's name that hardly tell it from others. */
const vagueInNames = new Set([...vagueWords, ...list('data info get list item')].map(stemOf));

export const isStopWord = (word: string): boolean => stopWords.has(word);

/** How much a word of a query counts, between 0 and 1. */
export const wordWeight = (word: string): number => (plainVerbs.has(word) ? 0.5 : vagueWords.has(word) ? 0.4 : 1);

/** How much a stem counts among the words of a tool's name. */
export const nameWeight = (stem: string): number => (vagueInNames.has(stem) ? 0.5 : 1);
