import type { Vocabulary } from '../../schema/vocabulary.ts';
import { namesIn } from '../../schema/by-language.ts';
import type { Language } from '../languages/language.ts';
import { knownLanguage, UNREAD } from '../languages/languages.ts';
import { isCaseUninformative, isFinite } from './ambiguous-name.ts';
import { tokenize, type Token } from './tokens.ts';
import type { TradeSets } from './trade.ts';

/** Words that reviews write in small letters, or as a noun: such a word is no name of a person. */
export type SmallWords = ReadonlySet<string>;

/** Returns the words that some review writes in small letters, or as a noun. */
export function smallWords(
  reviews: readonly {
    title?: string | null | undefined;
    text?: string | null | undefined;
    language?: string | undefined;
  }[],
): SmallWords {
  const small = new Set<string>();
  for (const { title, text, language } of reviews) {
    const words = `${title ?? ''} ${text ?? ''}`;
    for (const [word] of words.matchAll(SMALL)) small.add(word);
    const { beforeNouns, grammar } = knownLanguage(language) ?? UNREAD;
    if (beforeNouns.size === 0) continue;
    for (const [, ...before] of words.matchAll(NOUN)) {
      const noun = before.pop()!;
      const isNoun = before.some(
        (word) => word && beforeNouns.has(grammar.fold(word.toLowerCase())),
      );
      if (isNoun) small.add(noun.toLowerCase());
    }
  }
  return small;
}

/** A capitalized word with the two words before it. */
const NOUN = /(?<!\p{L})(?:(\p{L}+) )?(\p{L}+) (?=\p{Lu})(\p{L}+)/gu;

const SMALL = /(?<![\p{L}\p{M}])\p{Ll}[\p{Ll}\p{M}]+/gu;
/** Emoji and words in capitals of up to four letters are no names: `TV`, `ASAP`. */
const NAME = /^(?:\p{Lu}['’])?\p{Lu}(?:[\p{Ll}\p{M}]|\p{Lu}{4,}$)/u;
const ELIDED = /^\p{L}['’](?=\p{Lu})/u;

/**
 * Finds people whom no list has by how their names are used: with a capital, and never in small
 * letters; no word of the language, the vocabulary or the trade is one, nor is a place. A name that
 * is also a word (`Grace`) needs a title or a preposition of people before it.
 */
export class Strangers {
  readonly #language: Language;
  readonly #trade: TradeSets;
  readonly #small: SmallWords;
  readonly #known: ReadonlySet<string>;

  constructor(
    vocabulary: Partial<Vocabulary>,
    trade: TradeSets,
    small: SmallWords,
    language: Language,
  ) {
    this.#language = language;
    this.#trade = trade;
    this.#small = small;
    const {
      aspects = [],
      topics = [],
      problems = [],
      services = [],
      service_areas = [],
    } = vocabulary;
    const entries = [...aspects, ...topics, ...problems, ...services, ...service_areas];
    const forms = entries.flatMap((entry) => [entry.label, ...namesIn(entry, language.code)]);
    const words = [...forms, ...Object.keys(language.scores.phrases)].flatMap((form) =>
      tokenize(form, language).map(({ lower }) => lower),
    );
    this.#known = new Set([
      ...words,
      ...language.words,
      ...Object.values(trade).flatMap((set) => [...set]),
    ]);
  }

  /** @param tokens without the names of the business */
  isName(tokens: readonly Token[], at: number): boolean {
    const { text, lower, startsSentence } = tokens[at]!;
    const before = startsSentence ? '' : (tokens[at - 1]?.lower ?? '');
    const { beforeStranger, honorifics, isContent } = this.#language;
    if (honorifics.has(before)) return isContent(lower) && !isFinite(lower, this.#language);
    const elided = ELIDED.exec(text)?.[0] ?? '';
    if (lower === '' || !NAME.test(text.slice(elided.length))) return false;
    if (this.#isPlace(tokens, at) || this.#language.capitalized.has(lower)) return false;
    if (!this.#isWord(text.slice(elided.length))) return true;
    if (this.#language.calendar.has(lower) || isCaseUninformative(tokens, at)) return false;
    const cue = elided === '' ? before : elided.charAt(0).toLowerCase();
    return beforeStranger.has(cue) || this.#trade.people.has(before);
  }

  #isWord(written: string): boolean {
    const { fold, otherNumber } = this.#language.grammar;
    const lower = written.toLowerCase().replace(/['’]s$/, '');
    const forms = [lower, otherNumber(lower)].flatMap((form) => [form, fold(form)]);
    return forms.some((form) => this.#small.has(form) || this.#known.has(form));
  }

  #isPlace(tokens: readonly Token[], at: number): boolean {
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    const { beforePlaces, nameDeterminers, namedAfterPlaces } = this.#language;
    const follows = (words: ReadonlySet<string>) =>
      !tokens[at]!.startsSentence && words.has(before?.lower ?? '');
    return (
      follows(beforePlaces) || follows(nameDeterminers) || namedAfterPlaces.has(next?.lower ?? '')
    );
  }
}
