import { firstIndex } from '../base/first-index.ts';
import { PLACES, type QueryPlace } from '../schema/groups.ts';
import type { Pieces } from './pieces.ts';
import { eachWord } from './tokens.ts';

/** The number of the empty word, which ends a sentence. */
export const SENTENCE_END = 0;
/** Numbers of texts that a review has, one for each place: a power of two, which divides fast. */
const TEXT_BITS = 2;
const TEXTS = 1 << TEXT_BITS;
/** Words that are passed at once where many have no piece. */
const STRIDE = 64;
/** Steps of building that take about a millisecond. */
const STEP = 100_000;

/** Places in a review, as bits. */
export type Places = number;

export function placesOf(places: readonly QueryPlace[]): Places {
  return places.reduce((bits, place) => bits | (1 << PLACES.indexOf(place)), 0);
}

/**
 * The words of all reviews: the words of each text in order, as numbers, and the texts that have each word.
 * A word's number is its place in the sorted vocabulary, so words of one beginning have numbers in a row.
 */
export class WordIndex {
  /** Texts of all reviews, one after the other; while it grows, numbers of words in order of appearance. */
  #tokens = new Uint32Array(1 << 12);
  #length = 0;
  /** Beginnings of the texts. */
  readonly #starts: number[] = [0];
  #growing = new Map<string, number>([['', SENTENCE_END]]);
  /** Words of tokens, which most texts share. */
  readonly #known = new Map<string, string[]>();
  #terms: readonly string[] = [''];
  /** All words in one string, to look for words inside of others, and where each ends in it. */
  #joinedTerms = '\n';
  #termEnds = new Uint32Array(1);
  /** Words that are not in every text as the index has them: cafe of café, email of e-mail. */
  readonly #altered = new Set<string>();
  /** The texts of each word, in one list. */
  #texts = new Uint32Array();
  #textStarts = new Uint32Array(2);
  /** The places in which each word is used. */
  #places = new Uint8Array(1);

  /** Number of reviews. */
  get count(): number {
    return (this.#starts.length - 1) / TEXTS;
  }

  /** @param texts of one review, in the order of places */
  add(texts: readonly (string | null)[]): void {
    for (let place = 0; place < TEXTS; place++) {
      const text = texts[place] ?? null;
      // Words with a hyphen are also one: e-mail is e, mail, and after the text email.
      const joined: string[] = [];
      let before = '';
      const onWord = (word: string, _from: number, _to: number, isHyphened: boolean): void => {
        if (isHyphened && before !== '') joined.push(before + word);
        before = word;
        this.#push(word);
      };
      if (text !== null) eachWord(text, onWord, this.#known);
      for (const word of joined) {
        this.#altered.add(word);
        for (const each of ['', word]) this.#push(each);
      }
      if (place < texts.length) this.#push('');
      this.#starts.push(this.#length);
    }
  }

  #push(word: string): void {
    let id = this.#growing.get(word);
    if (id === undefined) this.#growing.set(word, (id = this.#growing.size));
    if (this.#length === this.#tokens.length) {
      const grown = new Uint32Array(2 * this.#length);
      grown.set(this.#tokens);
      this.#tokens = grown;
    }
    this.#tokens[this.#length++] = id;
  }

  /** Ends the additions, so that words can be looked for. */
  *finish(): Pieces<void> {
    for (const [token, words] of this.#known) {
      for (const word of words) if (!isVerbatim(word, token)) this.#altered.add(word);
    }
    this.#known.clear();
    const terms = yield* sortInPieces([...this.#growing.keys()]);
    const numbers = new Uint32Array(terms.length);
    for (const [number, term] of terms.entries()) numbers[this.#growing.get(term)!] = number;
    this.#growing.clear();
    this.#terms = terms;
    this.#joinedTerms = `${terms.join('\n')}\n`;
    let end = -1;
    this.#termEnds = Uint32Array.from(terms, ({ length }) => (end += length + 1));
    yield;
    const tokens = this.#tokens.slice(0, this.#length);
    for (let at = 0; at < tokens.length; at++) {
      if (at % STEP === STEP - 1) yield;
      tokens[at] = numbers[tokens[at]!]!;
    }
    this.#tokens = tokens;
    // Counts of texts first, from which each word's part of the list follows.
    const starts = new Uint32Array(terms.length + 1);
    this.#places = new Uint8Array(terms.length);
    yield* this.#eachTextOfWord((word, text) => {
      starts[word + 1]!++;
      this.#places[word]! |= 1 << (text % TEXTS);
    });
    for (let word = 0; word < terms.length; word++) starts[word + 1]! += starts[word]!;
    const ends = starts.slice();
    this.#texts = new Uint32Array(starts[terms.length]!);
    yield* this.#eachTextOfWord((word, text) => {
      this.#texts[ends[word]!++] = text;
    });
    this.#textStarts = starts;
  }

  *#eachTextOfWord(onText: (word: number, text: number) => void): Pieces<void> {
    const last = new Int32Array(this.#terms.length).fill(-1);
    let paused = 0;
    for (let text = 0; text + 1 < this.#starts.length; text++) {
      const end = this.#starts[text + 1]!;
      if (end - paused > STEP) {
        yield;
        paused = end;
      }
      for (let at = this.#starts[text]!; at < end; at++) {
        const word = this.#tokens[at]!;
        if (word === SENTENCE_END || last[word] === text) continue;
        last[word] = text;
        onText(word, text);
      }
    }
  }

  /** Returns the number of a word; undefined if no text at these places has it. */
  numberOf(word: string, places: Places): number | undefined {
    const at = this.#firstFrom(word);
    return this.#terms[at] === word && this.isUsed(at, places) ? at : undefined;
  }

  termOf(number: number): string {
    return this.#terms[number]!;
  }

  isUsed(number: number, places: Places): boolean {
    return (this.#places[number]! & places) !== 0;
  }

  /** Number of texts with a word, at any place. */
  frequencyOf(number: number): number {
    return this.#textStarts[number + 1]! - this.#textStarts[number]!;
  }

  get terms(): readonly string[] {
    return this.#terms;
  }

  /** Returns the numbers of the words with a beginning. */
  startingWith(beginning: string, places: Places): number[] {
    const found: number[] = [];
    for (let at = this.#firstFrom(beginning); at < this.#terms.length; at++) {
      if (!this.#terms[at]!.startsWith(beginning)) break;
      if (this.isUsed(at, places)) found.push(at);
    }
    return found;
  }

  /** Returns the numbers of the words that have a piece somewhere; `\n` at its end stands for that of a word. */
  containing(piece: string, places: Places): number[] {
    const all = this.#joinedTerms;
    const ends = this.#termEnds;
    const before = rarePlaceIn(piece);
    const rest = piece.slice(before);
    const found: number[] = [];
    let number = 0;
    for (let at = all.indexOf(rest); at !== -1; at = all.indexOf(rest, at + 1)) {
      if (!all.startsWith(piece, at - before)) continue;
      while (ends[number + STRIDE]! < at) number += STRIDE;
      while (ends[number]! < at) number++;
      if (this.isUsed(number, places)) found.push(number);
      at = ends[number]! - 1;
    }
    return found;
  }

  /** Tells whether each text with a word has it letter by letter. */
  isVerbatim(number: number): boolean {
    return !this.#altered.has(this.#terms[number]!);
  }

  /** Raises the marks, from `least` on, of the reviews that have a word at some places. */
  raise(
    marks: Uint8Array | Float32Array,
    number: number,
    places: Places,
    mark: number,
    least = 0,
  ): void {
    const texts = this.#texts;
    const end = this.#textStarts[number + 1]!;
    for (let at = this.#textStarts[number]!; at < end; at++) {
      const text = texts[at]!;
      const review = text >>> TEXT_BITS;
      if ((places & (1 << (text % TEXTS))) === 0) continue;
      if (marks[review]! < mark && marks[review]! >= least) marks[review] = mark;
    }
  }

  /** Returns the reviews that have two words side by side in a text at some places. */
  sideBySide(first: number, second: number, places: Places): number[] {
    const rarer = this.frequencyOf(first) < this.frequencyOf(second) ? first : second;
    const found: number[] = [];
    for (let at = this.#textStarts[rarer]!; at < this.#textStarts[rarer + 1]!; at++) {
      const text = this.#texts[at]!;
      if ((places & (1 << (text % TEXTS))) === 0) continue;
      const end = this.#starts[text + 1]! - 1;
      for (let token = this.#starts[text]!; token < end; token++) {
        if (this.#tokens[token] !== first || this.#tokens[token + 1] !== second) continue;
        found.push(text >>> TEXT_BITS);
        break;
      }
    }
    return found;
  }

  /** Returns the words of a review at some places; between two texts is the end of a sentence. */
  wordsOf(review: number, places: Places): readonly Uint32Array[] {
    const texts: Uint32Array[] = [];
    for (let place = 0; place < PLACES.length; place++) {
      const text = review * TEXTS + place;
      if ((places & (1 << place)) === 0) continue;
      texts.push(this.#tokens.subarray(this.#starts[text], this.#starts[text + 1]));
    }
    return texts;
  }

  #firstFrom(word: string): number {
    return firstIndex(this.#terms.length, (at) => this.#terms[at]! >= word);
  }
}

/** Tells whether a token has one of its words letter by letter. */
function isVerbatim(word: string, token: string): boolean {
  const lower = token.toLowerCase();
  return lower === word || (lower.startsWith(word) && "'’".includes(lower[word.length]!));
}

// Loops over all reviews are functions of their own, because V8 makes slow code of those in generators.

/** Keeps of some marks, which are bits, those that others have too. */
export function keepMarked(marks: Uint8Array, others: Uint8Array): void {
  for (let review = 0; review < marks.length; review++) marks[review]! &= others[review]!;
}

/** Returns the reviews whose mark is `least` or more. */
export function markedOf(marks: Uint8Array, least = 1): number[] {
  const marked: number[] = [];
  // Most marks are 0, and four of them are one number.
  const fours = new Uint32Array(marks.buffer, 0, marks.length >>> 2);
  for (let four = 0; 4 * four < marks.length; four++) {
    if (fours[four] === 0 && least > 0) continue;
    const end = Math.min(marks.length, 4 * four + 4);
    for (let review = 4 * four; review < end; review++) {
      if (marks[review]! >= least) marked.push(review);
    }
  }
  return marked;
}

/** Sorts words by their first characters, with a pause after each. */
function* sortInPieces(words: readonly string[]): Pieces<string[]> {
  const byFirst = new Map<string, string[]>();
  for (const word of words) {
    const first = word.slice(0, 2);
    const others = byFirst.get(first);
    if (others) others.push(word);
    else byFirst.set(first, [word]);
  }
  yield;
  const sorted: string[] = [];
  // oxlint-disable-next-line unicorn/no-array-sort -- by code units, as words are compared
  for (const first of [...byFirst.keys()].sort()) {
    for (const word of byFirst.get(first)!.sort()) sorted.push(word);
    yield;
  }
  return sorted;
}

/** A character that few texts have; a letter needs two more behind it. */
const RARE = /[^\w\s]|[jkqxz](?=..)/;

/**
 * Returns the place of the first rare character of a folded string; 0 without any. Engines look for the
 * first character of a string before they compare the rest, so its end from there is found faster.
 */
export function rarePlaceIn(string: string): number {
  return Math.max(0, string.search(RARE));
}
