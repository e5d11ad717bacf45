import { editDistance } from './edit-distance.ts';
import type { LanguageWords } from './language-words.ts';
import { singular, UNSPACED } from './tokens.ts';
import type { Places, WordIndex } from './word-index.ts';

/** A word of a query: the words of the reviews that meet it, by number, each with a weight. */
export interface Concept {
  written: string;
  forms: Map<number, number>;
  /** Two words side by side that are this one: wi fi of wifi. */
  pairs: [number, number][];
  /** Words that are this one and the next one of the query: bedbugs of bed bugs. */
  joined: Set<number>;
}

/** Weights of words by how they meet one of a query. */
export const WEIGHT = {
  same: 1,
  joined: 0.95,
  inflected: 0.9,
  corrected: 0.8,
  beginning: 0.7,
  inside: 0.6,
  alike: 0.4,
};
/** Forms of less weight are for the order of the best: no review is found by them alone. */
export const FOUND_FROM = 0.5;

/** Shorter words begin too many others: car and care. Words of syllables are as long as others with half as many. */
const BEGINNING_FROM = { letters: 5, syllables: 2 };
const SYLLABLES = /^\p{sc=Hangul}/u;
/** Words from this many letters are looked for inside of others, and shorter ones only at their end. */
const INSIDE_FROM = { anywhere: 5, atEnd: 4 };
/** So long a word means the same as what is made of it: conditioning of air, and its condition. */
const SAME_FROM = 8;
/** Words of fewer letters have other words one or two letters away. */
const TYPOS_FROM = { one: 5, two: 7 };
/** A word is no typo unless the right one is so many times as frequent. */
const SUGGESTED_FROM = { spelling: 2, other: 10 };
/** Letters of a word that is the same with another letter, with doubled ones, or with two that change places. */
const SPELLING_FROM = { letter: 8, doubled: 7, swapped: 6 };
const MAX_HAVING_TYPO = 20;

/** Numbers that many write in two parts: 1,200. */
const THOUSANDS = /^\p{N}{4,6}$/u;

/** Finds the words of the reviews that meet the words of a query. */
export class WordForms {
  readonly index: WordIndex;
  readonly language: LanguageWords;

  constructor(index: WordIndex, language: LanguageWords) {
    this.index = index;
    this.language = language;
  }

  /** Returns a concept that only a word itself meets, or what begins with a single character of a run. */
  exact(written: string, places: Places): Concept {
    const concept: Concept = { written, forms: new Map(), pairs: [], joined: new Set() };
    if (written.length === 1 && UNSPACED.test(written)) {
      for (const id of this.index.startingWith(written, places)) {
        concept.forms.set(id, WEIGHT.same);
      }
      return concept;
    }
    const id = this.index.numberOf(written, places);
    if (id !== undefined) concept.forms.set(id, WEIGHT.same);
    return concept;
  }

  /** Returns a concept that a word, its inflections, longer and compound words meet. */
  concept(written: string, places: Places): Concept {
    const concept = this.exact(written, places);
    if (this.language.small.has(written)) return concept;
    this.#addForms(concept, written, places, 1);
    if (this.language.hasUmlauts) this.#addUmlauts(concept, written, places);
    if (isUnknown(concept) && written.length >= INSIDE_FROM.anywhere) {
      this.#addInside(concept, written, places, false, 1);
    }
    return concept;
  }

  /** Returns a concept that a word and its inflections meet, and what is written in one or two. */
  inflected(written: string, places: Places): Concept {
    const concept = this.exact(written, places);
    if (this.language.small.has(written)) return concept;
    this.#addInflected(concept, written, places, 1);
    this.#addPairs(concept, written, places);
    return concept;
  }

  /** Corrects a concept that no review meets: it takes the forms of the most similar word, which is returned. */
  correct(concept: Concept, places: Places): string | undefined {
    if (this.language.small.has(concept.written)) return undefined;
    const like =
      this.#like(concept.written, places, 0) ?? this.#like(singular(concept.written), places, 0);
    if (like === undefined) return undefined;
    this.#addForms(concept, like, places, WEIGHT.corrected);
    return like;
  }

  /**
   * Returns a word that is meant more likely than one that a few reviews have. A long word that differs in one
   * letter, in doubled ones or in two that change places, is another spelling: its forms are added.
   */
  suggestion(concept: Concept, places: Places): { word: string; isSpelling: boolean } | undefined {
    const { written, forms } = concept;
    const own = Math.max(0, ...Array.from(forms.keys(), (id) => this.index.frequencyOf(id)));
    if (own > MAX_HAVING_TYPO || this.language.small.has(written)) return undefined;
    const word = this.#like(written, places, SUGGESTED_FROM.spelling * own);
    const id = word === undefined ? undefined : this.index.numberOf(word, places);
    if (word === undefined || id === undefined || forms.has(id)) return undefined;
    const isSpelling = isSpelledAlike(written, word);
    if (isSpelling) this.#addForms(concept, word, places, WEIGHT.corrected);
    const isMeant = this.index.frequencyOf(id) >= SUGGESTED_FROM.other * own;
    return isSpelling || isMeant ? { word, isSpelling } : undefined;
  }

  /** Adds words that begin as a long one: physiotherapie, physiotherapeut. */
  addAlike({ written, forms }: Concept, places: Places): void {
    if (written.length < 7) return;
    const beginning = written.slice(0, Math.max(6, Math.ceil(0.7 * written.length)));
    for (const id of this.index.startingWith(beginning, places)) {
      forms.set(id, forms.get(id) ?? WEIGHT.alike);
    }
  }

  /** Adds to each two words side by side the words that are both in one. */
  join(concepts: readonly Concept[], places: Places): void {
    for (const [at, { written, joined, forms }] of concepts.slice(0, -1).entries()) {
      const next = concepts[at + 1]!;
      const word = written + next.written;
      if (word.length < 3 || this.language.small.has(written)) continue;
      const isSmall = this.language.small.has(next.written);
      for (const id of this.index.startingWith(written, places)) {
        const term = this.index.termOf(id);
        if (term !== word && (isSmall || !this.#isInflected(word, term))) continue;
        joined.add(id);
        for (const each of [forms, next.forms]) raise(each, id, WEIGHT.joined);
      }
    }
  }

  #addForms(concept: Concept, word: string, places: Places, factor: number): void {
    const { forms } = concept;
    const index = this.index;
    const own = index.numberOf(word, places);
    if (own !== undefined) raise(forms, own, WEIGHT.same * factor);
    if (/^\p{N}/u.test(word)) {
      if (THOUSANDS.test(word)) this.#addPairs(concept, word, places);
      return;
    }
    this.#addInflected(concept, word, places, factor);
    const least = SYLLABLES.test(word) ? BEGINNING_FROM.syllables : BEGINNING_FROM.letters;
    if (word.length >= least || (word.length === least - 1 && forms.size === 0)) {
      for (const id of index.startingWith(word, places))
        raise(forms, id, WEIGHT.beginning * factor);
    }
    if (this.language.isCompounding) this.#addInside(concept, word, places, true, factor);
    this.#addPairs(concept, word, places);
  }

  #addInflected({ forms }: Concept, word: string, places: Places, factor: number): void {
    if (word.length < 3) return;
    for (const id of this.index.startingWith(word.slice(0, 3), places)) {
      const isForm = this.#isInflected(word, this.index.termOf(id));
      if (isForm) raise(forms, id, WEIGHT.inflected * factor);
    }
  }

  /** Adds the pairs of words that make a word. */
  #addPairs({ pairs }: Concept, word: string, places: Places): void {
    for (let at = 1; at <= word.length - 2; at++) {
      const parts = [word.slice(0, at), word.slice(at)];
      if (parts.some((part) => this.language.small.has(part))) continue;
      const first = this.index.numberOf(parts[0]!, places);
      if (first === undefined) continue;
      const seconds = this.exact(parts[1]!, places);
      this.#addInflected(seconds, parts[1]!, places, 1);
      for (const second of seconds.forms.keys()) {
        if (this.index.sideBySide(first, second, places).length > 0) pairs.push([first, second]);
      }
    }
  }

  /** Adds words that are the same but for umlauts written with an e: fruehstueck. */
  #addUmlauts({ forms }: Concept, word: string, places: Places): void {
    const plain = withoutUmlauts(word);
    const beginning = /^[^aeiou]*[aou]?/.exec(word)![0];
    for (const id of this.index.startingWith(beginning, places)) {
      if (withoutUmlauts(this.index.termOf(id)) === plain) raise(forms, id, WEIGHT.same);
    }
  }

  /**
   * Adds words that have a word inside, a short one only at their end. A compound has a word before it:
   * mittagessen is one of essen, vergessen is not.
   */
  #addInside(
    { forms }: Concept,
    word: string,
    places: Places,
    isCompound: boolean,
    factor: number,
  ): void {
    if (word.length < INSIDE_FROM.atEnd) return;
    const piece = word.length < INSIDE_FROM.anywhere ? `${word}\n` : word;
    for (const id of this.index.containing(piece, places)) {
      const term = this.index.termOf(id);
      if (!isCompound || this.#isCompound(term.slice(0, term.indexOf(word)), places)) {
        raise(forms, id, WEIGHT.inside * factor);
      }
    }
  }

  /** Tells whether the beginning of a compound is a word, in a form that compounds have. */
  #isCompound(before: string, places: Places): boolean {
    if (before.length < 3) return false;
    const forms = [before, before.replace(/s$/, ''), before.replace(/e?n$/, '')];
    return [...forms, `${before}e`, `${before}en`].some(
      (form) => form.length > 2 && this.index.numberOf(form, places) !== undefined,
    );
  }

  /** Tells whether a word is a form of the one that is looked for, or made of it: cleaning of clean, not clean of cleaning. */
  #isInflected(wanted: string, word: string): boolean {
    let stem = 0;
    while (stem < wanted.length && wanted[stem] === word[stem]) stem++;
    const rests = [wanted.slice(stem), word.slice(stem)] as const;
    if (stem < 4) return stem === 3 && rests.every((rest) => /^(?:e?s)?$/.test(rest));
    // A letter may be doubled: cancel, cancelled.
    const isIn = (endings: ReadonlySet<string>, rest: string) =>
      endings.has(rest) ||
      (rest.length > 2 && rest[0] === wanted[stem - 1] && endings.has(rest.slice(1)));
    return this.language.endings.some(({ own, derived }) => {
      const [isOwn, isDerived] = [own, derived].map((endings) => isIn(endings, rests[0]));
      const mayEndItself = isOwn || (isDerived && stem >= SAME_FROM);
      return (
        (mayEndItself && isIn(own, rests[1])) || ((isOwn || isDerived) && isIn(derived, rests[1]))
      );
    });
  }

  /**
   * Returns the word of the reviews that is most like another one.
   *
   * @param least number of texts that have it
   */
  #like(word: string, places: Places, least: number): string | undefined {
    const typos = word.length < TYPOS_FROM.one ? 0 : word.length < TYPOS_FROM.two ? 1 : 2;
    if (typos === 0) return undefined;
    // With so many typos, the first or last of equal parts is most often right.
    const part = Math.floor(word.length / (typos + 1));
    const [start, end] = [word.slice(0, part), word.slice(-part)];
    let best: string | undefined;
    let smallest = Infinity;
    const { terms } = this.index;
    for (let id = 0; id < terms.length; id++) {
      const term = terms[id]!;
      if (Math.abs(term.length - word.length) > typos) continue;
      if (!term.startsWith(start) && !term.endsWith(end)) continue;
      if (!this.index.isUsed(id, places)) continue;
      const having = this.index.frequencyOf(id);
      if (having < least || this.language.small.has(term)) continue;
      const distance = editDistance(word, term);
      const isOther = term[0] !== word[0];
      if (distance === 0 || distance > (isOther ? 1 : typos)) continue;
      if (word.length < 6 && (isOther || having < 2)) continue;
      const rare = having === 1 ? 1.2 : 0;
      const unlike = distance + (isOther ? 0.6 : 0) + rare - Math.min(0.9, Math.log10(having) / 3);
      if (unlike < smallest) [best, smallest] = [term, unlike];
    }
    return best;
  }
}

/** Tells whether no review has anything that meets a concept. */
export function isUnknown({ forms, pairs }: Concept): boolean {
  return forms.size + pairs.length === 0;
}

/** Tells whether two words are hardly two: deductable and deductible, matress and mattress. */
function isSpelledAlike(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  const once = (word: string) => word.replaceAll(/(.)\1/g, '$1');
  if (length >= SPELLING_FROM.doubled && once(one) === once(other)) return true;
  const isSwapped = [...one].sort().join('') === [...other].sort().join('');
  if (length >= SPELLING_FROM.swapped && isSwapped && editDistance(one, other) === 1) return true;
  return length >= SPELLING_FROM.letter && one[0] === other[0] && editDistance(one, other) === 1;
}

function raise(forms: Map<number, number>, id: number, weight: number): void {
  forms.set(id, Math.max(forms.get(id) ?? 0, weight));
}

/** Returns a folded word in which an e after a vowel that may have an umlaut stands for it. */
function withoutUmlauts(word: string): string {
  return word.replaceAll(/(?<![aeq])([aou])e/g, '$1');
}
