import { editDistance } from './edit-distance.ts';
import { fold, singular } from './tokens.ts';
import { Lru } from '../base/kept.ts';

export interface NamedId {
  id: string;
  /** Every name of the id, besides the id itself; the first one is its label. */
  names: string[];
}

interface Suggestion {
  id: string;
  label: string;
}

/** As many as a reader takes in without losing sight of the question. */
const SUGGESTIONS = 3;
/** Names whose ids and suggestions are kept, of each kind. */
const KEPT_NAMES = 100;
/** Words this short have other words one letter away: Dan and Ann, late and rate. */
const TYPO_FROM = 5;
const TWO_TYPOS_FROM = 9;
const ALIKE_WITHIN = 0.4;
/** A name that contains the other one is alike, but less than one with a single typo. */
const CONTAINED = 0.15;
const COMMON_STEM = 0.3;
/** Two words that begin with as many equal letters have one stem. */
const STEM = 4;

interface Entry extends Suggestion {
  /** The id, its label and its other names. */
  names: readonly Name[];
  /** Number of names that mean the id itself; the rest are words for parts of it. */
  own: number;
}

/** A name, and the forms of it that are compared. */
interface Name {
  written: string;
  folded: string;
  /** Its words in the singular, without accents. */
  key: string;
  /** Number of times that each letter of the key occurs, by the last five bits of its code. */
  letters: Uint16Array;
  /** The beginnings of the words of the key. */
  stems: readonly string[];
}

/** The words of the reviews, in which names are looked for. */
export interface KnownWords {
  /** Words that stand for no name. */
  stopWords: ReadonlySet<string>;
  /** Tells whether at least so many reviews (two if left out) have a word: then it is not another word with a typo. */
  isUsed(word: string, least?: number): boolean;
}

const NO_WORDS: KnownWords = { stopWords: new Set(), isUsed: () => false };

/** Ways to compare names, the strictest first. */
const WAYS = [
  { form: 'folded', from: 0, to: 1 },
  { form: 'folded', from: 0, to: 2 },
  { form: 'folded', from: 1, to: Infinity },
  { form: 'key', from: 0, to: 2 },
  { form: 'key', from: 1, to: Infinity },
] as const;

/**
 * Finds the ids that people mean by a name: the one resolver of REST, MCP and pages. The names are
 * read on first use: they are thousands, and an edition that replaces another one must not wait.
 */
export class NameIndex {
  readonly #given: Iterable<NamedId>;
  readonly #vocabulary: KnownWords;
  readonly #isBroad: boolean;
  #known: Entry[] | undefined;
  #ways: { form: 'folded' | 'key'; ids: ReadonlyMap<string, readonly string[]> }[] | undefined;
  #words: ReadonlyMap<string, readonly string[]> | undefined;
  /** Answers for the last names, because a page asks for each several times. */
  readonly #resolved = new Lru<readonly string[]>(KEPT_NAMES);
  readonly #suggested = new Lru<readonly Suggestion[]>(KEPT_NAMES);

  /**
   * @param isBroad true if a name whose words, by their stems, are not those of the id or the label is a
   *   part of what the id names: `price` is Pricing, but `bed bugs` are a part of Cleanliness
   */
  constructor(given: Iterable<NamedId>, vocabulary = NO_WORDS, isBroad = false) {
    this.#given = given;
    this.#vocabulary = vocabulary;
    this.#isBroad = isBroad;
  }

  get #entries(): Entry[] {
    return (this.#known ??= Array.from(this.#given, ({ id, names: [label = id, ...others] }) => {
      const own = [id, label].map(toName);
      const [first, second] = own as [Name, Name];
      const isOwn = (name: Name) =>
        !this.#isBroad || hasStemsOf(name, first) || hasStemsOf(name, second);
      const rest = others.map(toName);
      own.push(...rest.filter(isOwn));
      const parts = rest.filter((name) => !isOwn(name));
      return { id, label, names: [...own, ...parts], own: own.length };
    }));
  }

  /** Every id with its label, in the order given. */
  get entries(): readonly Suggestion[] {
    return this.#entries.map(({ id, label }) => ({ id, label }));
  }

  namesOf(id: string): readonly string[] {
    const names = this.#entries.find((entry) => entry.id === id)?.names ?? [];
    return names.slice(1).map(({ written }) => written);
  }

  labelOf(id: string): string | undefined {
    return this.#entries.find((entry) => entry.id === id)?.label;
  }

  /**
   * Returns the ids of a name: an id, a label, another name, any of them in another number, case or
   * spelling of spaces and accents, some words of a label, or a name with a typo; the first of
   * these that finds any. A name that two share finds both.
   */
  resolve(name: string): readonly string[] {
    return this.#resolved.get(name, () => this.#look(name.trim()));
  }

  #look(name: string): readonly string[] {
    const wanted = toName(name);
    this.#ways ??= WAYS.map(({ form, from, to }) => ({
      form,
      ids: idsBy(this.#entries, ({ names, own }) =>
        names.slice(from, Math.min(to, own)).map((each) => each[form]),
      ),
    }));
    for (const { form, ids } of this.#ways) {
      const found = ids.get(wanted[form]);
      if (found) return found;
    }
    const isPart = this.widerThan(name).length > 0;
    if (isPart && this.#vocabulary.isUsed(name, 1)) return [];
    const byWords = isPart ? [] : this.#withWords(wanted.key);
    return byWords.length > 0 ? byWords : this.#withTypo(wanted);
  }

  /** Returns the ids that a word is narrower than: it is a word for a part of them, and no name. */
  widerThan(word: string): readonly string[] {
    this.#words ??= idsBy(this.#entries, ({ names, own }) =>
      names.slice(own).map(({ key }) => joined(key)),
    );
    return this.#words.get(joined(toName(word).key)) ?? [];
  }

  /** Returns the ids that some words name, and those of which they name a part. */
  meantBy(words: string): readonly string[] {
    const ids = this.resolve(words);
    return ids.length > 0 ? ids : this.widerThan(words);
  }

  /** Returns the entries whose names are most like a name; none if nothing is alike. */
  suggest(name: string): Suggestion[] {
    return [...this.#suggested.get(name, () => this.#findAlike(name))];
  }

  #findAlike(name: string): Suggestion[] {
    const wanted = toName(name);
    return this.#entries
      .map(({ id, label, names }) => ({
        suggestion: { id, label },
        distance: Math.min(...names.map((other) => dissimilarity(wanted, other))),
      }))
      .filter(({ distance }) => distance <= ALIKE_WITHIN)
      .sort((a, b) => a.distance - b.distance || (a.suggestion.id < b.suggestion.id ? -1 : 1))
      .slice(0, SUGGESTIONS)
      .map(({ suggestion }) => suggestion);
  }

  #withWords(key: string): string[] {
    const { stopWords } = this.#vocabulary;
    const words = key.split(' ').filter((word) => word.length > 1 && !stopWords.has(word));
    if (words.length === 0) return [];
    return this.#entries
      .filter(({ names }) => {
        const labelWords = new Set(names.slice(0, 2).flatMap(({ key }) => key.split(' ')));
        return words.every((word) => labelWords.has(word));
      })
      .map(({ id }) => id);
  }

  #withTypo(wanted: Name): string[] {
    if (wanted.key.length < TYPO_FROM) return [];
    let fewest = wanted.key.length >= TWO_TYPOS_FROM ? 2 : 1;
    let found = new Set<string>();
    for (const { id, names, own } of this.#entries) {
      for (const other of names.slice(0, own)) {
        if (other.key.length < TYPO_FROM) continue;
        const distance = editsWithin(wanted, other, fewest);
        if (distance > fewest || this.#isOtherWord(wanted.key, other.key)) continue;
        if (distance < fewest) found = new Set();
        fewest = distance;
        found.add(id);
      }
    }
    return [...found];
  }

  /** Tells whether a word that differs from a name is a word of its own: no cat is a car. */
  #isOtherWord(key: string, name: string): boolean {
    const own = name.split(' ');
    return key.split(' ').some((word) => !own.includes(word) && this.#vocabulary.isUsed(word));
  }
}

/** Returns the ids by some of the names of each entry. */
function idsBy(
  entries: readonly Entry[],
  namesOf: (entry: Entry) => readonly string[],
): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const entry of entries) {
    for (const name of new Set(namesOf(entry))) {
      const known = ids.get(name);
      if (known) known.push(entry.id);
      else ids.set(name, [entry.id]);
    }
  }
  return ids;
}

/** Tells whether a name has words of the same stems as another one, and no others. */
function hasStemsOf({ key }: Name, { stems }: Name): boolean {
  const words = key.split(' ');
  return (
    words.every((word) => stems.includes(word.slice(0, STEM))) &&
    stems.every((stem) => words.some((word) => word.startsWith(stem)))
  );
}

/** Joins words: people write `bed bugs` and `bedbugs`. */
function joined(key: string): string {
  return key.replaceAll(' ', '');
}

function toName(written: string): Name {
  const folded = fold(written);
  const plain = folded.normalize('NFD').replaceAll(/\p{M}/gu, '');
  const words = (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map(singular);
  const key = words.join(' ');
  const letters = new Uint16Array(32);
  for (let at = 0; at < key.length; at++) letters[key.charCodeAt(at) & 31]!++;
  const stems = words.filter(({ length }) => length >= STEM).map((word) => word.slice(0, STEM));
  return { written, folded, key, letters, stems };
}

/** Returns 0 for equal names, 1 for nothing in common: edits by length, or a common part. */
function dissimilarity(a: Name, b: Name): number {
  const [shorter, longer] = a.key.length < b.key.length ? [a.key, b.key] : [b.key, a.key];
  const isContained = shorter.length > 2 && longer.includes(shorter);
  const hasCommonStem = a.stems.some((stem) => b.stems.includes(stem));
  // The more of the longer name it is, the more alike.
  const contained = CONTAINED * (2 - shorter.length / longer.length);
  const common = isContained ? contained : hasCommonStem ? COMMON_STEM : 1;
  const bound = Math.min(ALIKE_WITHIN, common) * longer.length;
  return Math.min(common, editsWithin(a, b, bound) / longer.length);
}

/**
 * Returns the edit distance of two names, or Infinity if it is hardly as small as wanted: it takes long, and is
 * never below the number of letters that one has and the other lacks.
 */
function editsWithin(a: Name, b: Name, bound: number): number {
  return fewestEdits(a.letters, b.letters) > bound ? Infinity : editDistance(a.key, b.key);
}

function fewestEdits(a: Uint16Array, b: Uint16Array): number {
  let [more, fewer] = [0, 0];
  for (let letter = 0; letter < a.length; letter++) {
    const difference = a[letter]! - b[letter]!;
    if (difference > 0) more += difference;
    else fewer -= difference;
  }
  return Math.max(more, fewer);
}
