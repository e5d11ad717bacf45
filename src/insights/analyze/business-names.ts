import { OVERALL_ASPECT, type AspectTerms } from '../../schema/vocabulary.ts';
import type { Language } from '../languages/language.ts';
import { isCaseUninformative, isFinite, verbAfter } from './ambiguous-name.ts';
import { PhraseMatcher } from './phrase-matcher.ts';
import { addWords } from './spans.ts';
import { isCapitalized, tokenize, type Token } from './tokens.ts';

/** Returns the names of the business: the subjects of `overall` that are written with a capital. */
export function businessNames(
  aspects: readonly Pick<AspectTerms, 'id' | 'subjects'>[],
): readonly string[] {
  const overall = aspects.find(({ id }) => id === OVERALL_ASPECT);
  return overall?.subjects.filter((text) => isCapitalized({ text })) ?? [];
}

/** Hides names of the business, which are no opinions: `Comfort Inn`, `Embrace canceled`. */
export class BusinessNames {
  readonly #language: Language;
  readonly #names: PhraseMatcher<true>;
  /** The first words of the names, in lower form, and as written; `Never came` is no name. */
  readonly #first = new Map<string, string>();

  constructor(names: readonly string[], language: Language) {
    this.#language = language;
    this.#names = new PhraseMatcher(language);
    for (const name of names) {
      const words = tokenize(name, language);
      const isArticle = language.articles.has(words[0]?.lower ?? '');
      const own = isArticle ? words.slice(1) : words;
      if (own.length > 1) this.#names.add(name, true);
      const [first] = own;
      if (first && !language.isNegator(first.lower)) this.#first.set(first.lower, first.text);
    }
  }

  /** Makes names empty words. A name of one word, or the first of a longer one, must be evident. */
  hide(tokens: readonly Token[]): readonly Token[] {
    const hidden = new Set<number>();
    for (const match of this.#names.matches(tokens)) addWords(hidden, match);
    for (const [at, { lower }] of tokens.entries()) {
      const exact = this.#first.get(lower);
      if (exact !== undefined && isName(tokens, at, exact, this.#language)) hidden.add(at);
    }
    if (hidden.size === 0) return tokens;
    return tokens.map((token, at) =>
      hidden.has(at) ? { ...token, lower: '', parts: undefined } : token,
    );
  }
}

/**
 * Tells whether a word is a name. Where a capital letter proves nothing, a verb must follow:
 * `Superior was late`, but not `Superior service!`.
 */
function isName(tokens: readonly Token[], at: number, exact: string, language: Language): boolean {
  const { text } = tokens[at]!;
  if (!isCapitalized({ text })) return false;
  const written = text.replace(/['’]s$/, '');
  if (written !== text) return true;
  if (written === exact && !isCaseUninformative(tokens, at)) return true;
  const verb = tokens[at + 1]?.gap === ' ' ? verbAfter(tokens, at, language) : '';
  return isFinite(verb, language) || language.predicates.has(verb);
}
