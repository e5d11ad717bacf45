import { PLACES, type QueryPlace } from '../schema/groups.ts';
import type { Pieces } from './pieces.ts';
import { eachWord } from './tokens.ts';

/** The number of the empty word, which ends a sentence. */
export const SENTENCE_END = 0;
/** Texts of one review. */
const TEXTS = PLACES.length;
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
  /** Beginnings of the texts; a review has one for each place. */
  #starts: number[] = [0];
  #growing = new Map<string, number>([['', SENTENCE_END]]);
  /** Words of tokens, which most texts share. */
  readonly #known = new Map<string, string[]>();
  #terms: readonly string[] = [''];
  /** All words in one string, to look for words inside of others. */
  #joinedTerms = '\n';
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
    for (const text of texts) {
      // Words with a hyphen are also one: e-mail is e, mail, and after the text email.
      const joined: string[] = [];
      let before = '';
      const onWord = (word: string, _from: number, _to: number, isHyphened: boolean): void => {
        if (isHyphened && before !== '') joined.push(before + word);
        before = word;
        this.#push(word);
      };
      if (text !== null) eachWord(text, onWord, this.#known);
      for (const word of joined) for (const each of ['', word]) this.#push(each);
      this.#push('');
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
    this.#known.clear();
    const terms = yield* sortInPieces([...this.#growing.keys()]);
    const numbers = new Uint32Array(terms.length);
    for (const [number, term] of terms.entries()) numbers[this.#growing.get(term)!] = number;
    this.#growing.clear();
    this.#terms = terms;
    this.#joinedTerms = `${terms.join('\n')}\n`;
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
  *startingWith(beginning: string, places: Places): Generator<number> {
    for (let at = this.#firstFrom(beginning); at < this.#terms.length; at++) {
      if (!this.#terms[at]!.startsWith(beginning)) return;
      if (this.isUsed(at, places)) yield at;
    }
  }

  /** Returns the numbers of the words that have a piece somewhere; `\n` stands for an end of a word. */
  *containing(piece: string, places: Places): Generator<number> {
    const all = this.#joinedTerms;
    for (let at = all.indexOf(piece); at !== -1;) {
      const end = all.indexOf('\n', at + 1);
      const number = this.#firstFrom(all.slice(all.lastIndexOf('\n', at) + 1, end));
      if (this.isUsed(number, places)) yield number;
      at = all.indexOf(piece, end);
    }
  }

  /** Calls with each review that has a word at some places; more than once if several texts do. */
  eachReview(number: number, places: Places, onReview: (review: number) => void): void {
    const end = this.#textStarts[number + 1]!;
    for (let at = this.#textStarts[number]!; at < end; at++) {
      const text = this.#texts[at]!;
      const review = Math.floor(text / TEXTS);
      if ((places & (1 << (text - review * TEXTS))) !== 0) onReview(review);
    }
  }

  /** Returns the words of a review at some places; between two texts is the end of a sentence. */
  wordsOf(review: number, places: Places): readonly Uint32Array[] {
    const texts: Uint32Array[] = [];
    for (let place = 0; place < TEXTS; place++) {
      const text = review * TEXTS + place;
      if ((places & (1 << place)) === 0) continue;
      texts.push(this.#tokens.subarray(this.#starts[text], this.#starts[text + 1]));
    }
    return texts;
  }

  #firstFrom(word: string): number {
    let [at, to] = [0, this.#terms.length];
    while (at < to) {
      const middle = (at + to) >>> 1;
      if (this.#terms[middle]! < word) at = middle + 1;
      else to = middle;
    }
    return at;
  }
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
