import type { Vocabulary } from '../../schema/vocabulary.ts';
import type { Language } from '../languages/language.ts';
import { ENGLISH } from '../languages/languages.ts';
import { inTitleCase, isPerson } from './ambiguous-name.ts';
import { businessNames, BusinessNames } from './business-names.ts';
import { PhraseMatcher, type PhraseMatch } from './phrase-matcher.ts';
import { Strangers, type SmallWords } from './strangers.ts';
import { tokenize, type Token } from './tokens.ts';
import { tradeOf, type TradeSets } from './trade.ts';

interface NameForm {
  id: string;
  /** The required spelling of an ambiguous form; null for a form that is only a name. */
  exact: string | null;
  /** Set for a single word that is a family name. */
  surname: boolean;
}

/** A mention of a technician. */
export interface NameHit {
  id: string;
  /** Index of the first word. */
  at: number;
}

/**
 * Finds technicians in texts. A form that is also a common word (Will, Grace) must pass `isPerson`.
 * The writer's relatives and pets, namesakes with another surname, and other people of the same
 * surname do not count.
 */
export class TechnicianNames {
  readonly #matcher: PhraseMatcher<NameForm>;
  /** Words of names after the first. */
  readonly #later = new Set<string>();
  readonly #single = new Set<string>();
  readonly #trade: TradeSets;
  readonly #business: BusinessNames;
  readonly #strangers: Strangers;
  readonly #language: Language;

  constructor(
    vocabulary: Pick<Vocabulary, 'technicians' | 'trade' | 'aspects'> & Partial<Vocabulary>,
    language: Language = ENGLISH,
    small: SmallWords = new Set(),
  ) {
    const { technicians, trade, aspects } = vocabulary;
    this.#language = language;
    this.#matcher = new PhraseMatcher(language);
    const lowerWords = (form: string) => tokenize(form, language).map(({ lower }) => lower);
    const { fold } = language.grammar;
    this.#trade = tradeOf(trade, language);
    this.#business = new BusinessNames(businessNames(aspects), language);
    this.#strangers = new Strangers(vocabulary, this.#trade, small, language);
    for (const { id, name, aliases, ambiguous } of technicians) {
      const exact = new Set(ambiguous);
      const forms = [...new Set([name, ...aliases, ...ambiguous])];
      const later = new Set(forms.flatMap((form) => lowerWords(form).slice(1)));
      for (const word of later) this.#later.add(word);
      for (const form of forms) {
        const surname = later.has(fold(form.toLowerCase()));
        this.#matcher.add(form, { id, exact: exact.has(form) ? form : null, surname });
        if (!form.includes(' ')) this.#single.add(fold(form.toLowerCase()));
      }
    }
  }

  /** Returns the mentions in the order of the text. */
  find(tokens: readonly Token[]): NameHit[] {
    const hits: NameHit[] = [];
    const isName = (at: number) => {
      const token = tokens[at];
      return token !== undefined && isCapitalised(token) && this.#single.has(token.lower);
    };
    const [trade, language] = [this.#trade, this.#language];
    for (const match of this.#matcher.matches(tokens)) {
      const { exact, id } = match.value;
      if (this.#isSomebodyElse(tokens, match)) continue;
      const { at } = match;
      if (exact === null || isPerson({ tokens, at, exact, isName, trade, language }))
        hits.push({ id, at });
    }
    return hits;
  }

  /**
   * Tells whether a text may name a person: a technician in any form, even if it hardly means one, or a
   * stranger.
   */
  mayName(tokens: readonly Token[]): boolean {
    if (this.#matcher.matches(tokens).length > 0) return true;
    const others = this.#business.hide(tokens);
    return others.some((_, at) => this.#strangers.isName(others, at));
  }

  #isSomebodyElse(tokens: readonly Token[], { value, at, length }: PhraseMatch<NameForm>): boolean {
    const { otherPeople, beforePlaceNames, possessors, personal } = this.#language;
    const before = tokens[at]!.startsSentence ? undefined : tokens[at - 1];
    const [next, last] = [tokens[at + length], tokens[at + length + 1]];
    if (before && otherPeople.has(before.lower)) return true;
    if (before && isCapitalised(before) && beforePlaceNames.has(before.lower)) return true;
    if (possessors.has(next?.lower ?? '') && otherPeople.has(last?.lower ?? '')) return true;
    if (length > 1 || inTitleCase(tokens, at)) return false;
    const otherFirstName =
      value.surname &&
      before !== undefined &&
      !before.startsSentence &&
      isCapitalised(before) &&
      tokens[at]!.gap === ' ' &&
      !personal.has(before.lower);
    return otherFirstName || (next !== undefined && this.#isOtherSurname(next));
  }

  #isOtherSurname(next: Token): boolean {
    return (
      next.gap === ' ' &&
      isCapitalised(next) &&
      !next.text.endsWith("'s") &&
      !this.#later.has(next.lower) &&
      !this.#language.calendar.has(next.lower)
    );
  }
}

function isCapitalised({ text }: Token): boolean {
  return /^\p{Lu}\p{Ll}/u.test(text);
}
