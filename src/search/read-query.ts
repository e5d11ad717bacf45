import { fold, eachWord, UNSPACED, wordsIn } from './tokens.ts';
import type { Pieces } from './pieces.ts';
import { phraseOf } from './phrases.ts';
import { isUnknown, type Concept, type WordForms } from './word-forms.ts';
import type { Places } from './word-index.ts';

/** Words that a review has to have, or an exact string. */
export interface Sequence {
  concepts: readonly Concept[];
  /** A phrase is looked for first, then its words near each other, then anywhere. */
  as: 'words' | 'phrase' | 'phrase first' | 'string';
  /** True of a few words, of which answers say how many reviews have them side by side. */
  isFew?: boolean;
  /** The same, with further words that only rank the best matches. */
  ranked?: readonly Concept[];
  /** As typed; folded if it is an exact string. */
  written: string;
}

/** A query as it is read. */
export interface ReadQuery {
  /** A review has to meet one sequence of each. */
  all: Sequence[][];
  none: Sequence[];
  /** Words that say little, or are of asking, were left out. */
  isQuestion: boolean;
  /** Words that are not looked for. */
  ignored: string[];
  /** Words that no review has, with those that are looked for instead. */
  corrected: Record<string, string>;
  /** Words that few reviews have, with those that may be meant. */
  suggested: Record<string, string>;
  /** Words that few reviews have, with another spelling that is looked for too. */
  spelled: Record<string, string>;
}

/** Words of a query that are read at most: in all, outside quotation marks, and of scripts without spaces. */
const MAX_WORDS = { read: 32, together: 12, unspaced: 40 };
/** Words that a string counts as, because finding it may read texts. */
const OF_STRING = 2;
/** Unknown words are compared with all words of the reviews. */
const MAX_CORRECTED = 6;
/** Words that may be one thing: room service. */
const FEW = 3;
/** A query of more words is a question. */
const QUESTION_FROM = 5;
/** Part of the reviews with a word that have another one before it, if the two are one thing: customer service. */
const FIXED = 0.25;
/** An exact string in quotation marks, or what has no space; a `-` before it leaves reviews out. */
const CHUNKS = /(-?)(?:["“”„«»]([^"“”„«»]+)["“”„«»]|([^\s"“”„«»|]+|\|))/g;

/** Returns the reading of an exact string. */
export function readString(string: string): ReadQuery {
  return { ...emptyReading(), all: [[stringSequence(string)]] };
}

/** Returns the reading of a term, in any number and written in one or several words, side by side. */
export function readTerm(term: string, places: Places, forms: WordForms): ReadQuery {
  const words = wordsIn(term);
  const concepts = words.map((word) => forms.inflected(word, places));
  forms.join(concepts, places);
  return { ...emptyReading(), all: [[{ concepts, as: 'phrase', written: words.join(' ') }]] };
}

function emptyReading(): ReadQuery {
  return {
    all: [],
    none: [],
    isQuestion: false,
    ignored: [],
    corrected: {},
    suggested: {},
    spelled: {},
  };
}

function stringSequence(string: string): Sequence {
  return { concepts: [], as: 'string', written: fold(string) };
}

/**
 * Reads a query: words, "exact strings", -word, NOT, OR and |. Words that say little count in a short query;
 * they and words of asking are left out of a question. A word that no review has is corrected.
 */
export function* readQuery(query: string, places: Places, forms: WordForms): Pieces<ReadQuery> {
  const reading = emptyReading();
  const text = query.normalize('NFC');
  const bare: string[] = [];
  let chunks = 0;
  let operator = '';
  let left = MAX_WORDS.read;
  /** The words of the chunk before, if they are bare. */
  let last: string[] | undefined;
  const asPhrase = (words: readonly string[]): Sequence => {
    const concepts = words.map((word) => forms.concept(word, places));
    forms.join(concepts, places);
    return { concepts, as: 'phrase', written: words.join(' ') };
  };
  for (const [, minus, quoted, chunk = ''] of text.matchAll(CHUNKS)) {
    if (/^(?:OR|\||NOT|AND)$/.test(chunk)) {
      operator = chunk;
      continue;
    }
    const words = quoted === undefined ? wordsIn(chunk) : [];
    if (words.length === 0 && quoted === undefined) continue;
    left -= quoted === undefined ? Math.max(1, words.length) : OF_STRING;
    if (left < 0) {
      reading.ignored.push(...(quoted === undefined ? words : [quoted]));
      continue;
    }
    const sequence = () => (quoted === undefined ? asPhrase(words) : stringSequence(quoted));
    const isExcluded = minus === '-' && (quoted !== undefined || /^\p{L}/u.test(chunk));
    if (operator === 'NOT' || isExcluded) reading.none.push(sequence());
    else if ((operator === 'OR' || operator === '|') && (last ?? reading.all.length > 0)) {
      if (last) {
        reading.all.push([asPhrase(last)]);
        bare.length -= last.length;
        chunks--;
      }
      reading.all.at(-1)!.push(sequence());
      last = undefined;
    } else if (quoted === undefined) {
      bare.push(...words);
      chunks++;
      last = words;
    } else {
      reading.all.push([sequence()]);
      last = undefined;
    }
    operator = '';
    yield;
  }
  yield* readBare(bare, text, chunks === 1, places, reading, forms);
  yield* readUnspaced(bare, text, places, reading, forms);
  if (reading.all.length + reading.none.length === 0) reading.all.push([stringSequence(query)]);
  yield* correct(reading, places, forms);
  return reading;
}

/** Reads the words outside quotation marks, with spaces between them. */
function* readBare(
  bare: readonly string[],
  query: string,
  isOneChunk: boolean,
  places: Places,
  reading: ReadQuery,
  forms: WordForms,
): Pieces<void> {
  const { index, language } = forms;
  const { small, asking, articles, asks, prepositions, telling: turning } = language;
  const given = bare.filter((word) => !UNSPACED.test(word));
  const concepts = new Map<string, Concept>();
  for (const word of given.slice(0, MAX_WORDS.read)) {
    if (!concepts.has(word)) concepts.set(word, forms.concept(word, places));
    yield;
  }
  const exactly = given.map((word) => forms.exact(word, places));
  const [first, second = ''] = given as [string, string?];
  const mayAsk = asks.has(first) || (asking.has(first) && small.has(second));
  const isQuestion =
    given.length > 1 &&
    (given.length >= QUESTION_FROM ||
      /[?？؟]\s*$/.test(query) ||
      (mayAsk && (yield* phraseOf(exactly, places, index)).length === 0));
  const isFixed = function* (at: number): Pieces<boolean> {
    const pair = yield* phraseOf(exactly.slice(at, at + 2), places, index);
    if (prepositions.has(given[at]!)) return pair.length > 0;
    const all = yield* phraseOf(exactly.slice(at + 1, at + 2), places, index);
    return pair.length > FIXED * all.length;
  };
  reading.isQuestion = isQuestion;
  let words = given;
  /** A preposition with the word that it belongs to. */
  const beside: Sequence[] = [];
  if (isQuestion) {
    const isTelling = (word: string) => !small.has(word) && !asking.has(word);
    const telling: string[] = [];
    for (let at = 0; at < given.length; at++) {
      const [word, next] = given.slice(at, at + 2) as [string, string?];
      const mayBePart = (asking.has(word) || prepositions.has(word)) && next !== undefined;
      const isPart = mayBePart && isTelling(next) && (yield* isFixed(at));
      if (isPart && prepositions.has(word)) {
        const pair = [concepts.get(word)!, concepts.get(next)!];
        beside.push({ concepts: pair, as: 'phrase', written: `${word} ${next}` });
        at++;
      } else if (isTelling(word) || isPart) telling.push(word);
    }
    if (telling.length + beside.length > 0) words = [...new Set(telling)];
  } else while (words.length > 1 && articles.has(words[0]!)) words = words.slice(1);
  words = words.slice(0, MAX_WORDS.together);
  const read = new Set([...words, ...beside.flatMap(({ written }) => written.split(' '))]);
  const others = [...given, ...reading.ignored].filter((word) => !read.has(word));
  reading.ignored = [...new Set(others)];
  reading.all.push(...beside.map((sequence) => [sequence]));
  if (words.length === 0) return;
  // Each place of a word has its own concept, because joining makes it differ.
  const used = words.map((word) => {
    const concept = concepts.get(word)!;
    return { ...concept, forms: new Map(concept.forms), joined: new Set<number>() };
  });
  forms.join(used, places);
  const isPhrase =
    !isQuestion &&
    words.length > 1 &&
    (isOneChunk || words.some((word) => small.has(word)) || used.some(({ joined }) => joined.size));
  const as = isPhrase ? 'phrase first' : 'words';
  const ranked = isQuestion
    ? given
        .filter((word) => words.includes(word) || turning.has(word))
        .map((word) => used[words.indexOf(word)] ?? concepts.get(word)!)
    : used;
  const isFew = !isQuestion && words.length > 1 && words.length <= FEW;
  reading.all.push([{ concepts: used, as, isFew, written: words.join(' '), ranked }]);
}

/** Cuts what has no spaces into the longest pieces that reviews have. */
function* readUnspaced(
  bare: readonly string[],
  query: string,
  places: Places,
  reading: ReadQuery,
  forms: WordForms,
): Pieces<void> {
  if (!bare.some((word) => UNSPACED.test(word))) return;
  const runs = query.match(new RegExp(UNSPACED.source.slice(1), 'gv')) ?? [];
  for (const run of runs.slice(0, MAX_WORDS.together)) {
    const characters = [...run].slice(0, MAX_WORDS.unspaced);
    for (let at = 0, end = 0; at < characters.length; at = Math.max(end, at + 1)) {
      let piece: Sequence | undefined;
      for (end = at; end < characters.length; end++) {
        const written = characters.slice(at, end + 1).join('');
        const concepts: Concept[] = [];
        eachWord(written, (word) => concepts.push(forms.exact(word, places)));
        if ((yield* phraseOf(concepts, places, forms.index)).length === 0) break;
        piece = { concepts, as: 'phrase', written };
      }
      if (piece) reading.all.push([piece]);
      else reading.ignored.push(characters[at]!);
    }
  }
}

/** Corrects the words that no review has, and suggests others for those that few have. */
function* correct(reading: ReadQuery, places: Places, forms: WordForms): Pieces<void> {
  let left = MAX_CORRECTED;
  for (const concept of reading.all.flat().flatMap(({ concepts }) => concepts)) {
    if (left === 0) break;
    const wasUnknown = isUnknown(concept);
    const other = wasUnknown ? undefined : forms.suggestion(concept, places);
    const like = wasUnknown ? forms.correct(concept, places) : other?.word;
    const as = wasUnknown ? 'corrected' : other?.isSpelling ? 'spelled' : 'suggested';
    if (like !== undefined) reading[as][concept.written] = like;
    if (wasUnknown || like !== undefined) left--;
    yield;
  }
  for (const concept of reading.all.flat().flatMap(({ concepts }) => concepts)) {
    forms.addAlike(concept, places);
  }
}
