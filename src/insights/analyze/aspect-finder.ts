import { inLanguage } from '../../schema/by-language.ts';
import type { Language } from '../languages/language.ts';
import { ENGLISH } from '../languages/languages.ts';
import { OVERALL_ASPECT, type AspectTerms } from '../../schema/vocabulary.ts';
import { PhraseMatcher } from './phrase-matcher.ts';
import { around, type ReadText } from './read-text.ts';
import { Spans, type Hit } from './spans.ts';

/** A mention of an aspect. */
export interface AspectHit extends Hit {
  aspect: string;
}

interface Form {
  aspect: string;
  /**
   * A term always mentions the aspect. A subject does if its clause has an opinion and no term of
   * another aspect; of the business as a whole also if it follows its opinion: `a lovely hotel with
   * friendly staff`. An exclusion never does.
   */
  role: 'term' | 'subject' | 'exclusion';
}

/** The parts of a taxonomy that the finder needs. */
export type AspectForms = Pick<AspectTerms, 'id' | 'terms'> &
  Partial<Pick<AspectTerms, 'phrases' | 'subjects' | 'exclude' | 'yields_to' | 'languages'>>;

/** Sentences of so few words that only judge are about the business: `Great!`, `Not happy`. */
const BARE_WORDS = 3;

/** Finds mentions of aspects by the words of the taxonomy; terms also in their plural. */
export class AspectFinder {
  readonly #matcher: PhraseMatcher<Form>;
  readonly #yieldsTo = new Map<string, ReadonlySet<string>>();
  readonly #hasOverall: boolean;
  readonly #language: Language;

  constructor(taxonomy: readonly AspectForms[], language: Language = ENGLISH) {
    this.#language = language;
    this.#matcher = new PhraseMatcher(language);
    this.#hasOverall = taxonomy.some(({ id }) => id === OVERALL_ASPECT);
    for (const aspect of taxonomy) {
      const {
        id,
        terms,
        phrases = [],
        subjects = [],
        exclude = [],
        yields_to,
      } = inLanguage(aspect, language.code);
      this.#add(id, 'term', [...new Set([...terms, ...this.#plurals(terms), ...phrases])]);
      this.#add(id, 'subject', subjects);
      this.#add(id, 'exclusion', exclude);
      if (yields_to?.length) this.#yieldsTo.set(id, new Set(yields_to));
    }
  }

  /**
   * Returns the mentions in the order of the text, without those in clauses about somebody else. If
   * mentions of an aspect overlap, the first counts.
   */
  find(text: ReadText): AspectHit[] {
    const named = this.#named(text);
    const bare = this.#hasOverall ? bareJudgments(text, named) : [];
    return bare.length > 0 ? [...named, ...bare].sort((a, b) => a.at - b.at) : named;
  }

  #named(text: ReadText): AspectHit[] {
    const { tokens, places, others } = text;
    const matches = this.#matcher.everyMatch(tokens);
    const excluded = new Spans();
    for (const { value, at, length } of matches) {
      if (value.role === 'exclusion') excluded.add(value.aspect, at, length);
    }
    const judged = judgedClauses(text);
    const described = describedWords(text);
    const found = new Spans();
    const hits: (AspectHit & Form)[] = [];
    for (const { value, at, length } of matches) {
      const { aspect, role } = value;
      const { clause } = places[at]!;
      if (role === 'exclusion' || excluded.cover(aspect, at, length)) continue;
      const isJudged = judged.has(clause) || judged.has(places[at + length - 1]!.clause);
      if (others.has(at) || (role === 'subject' && !isJudged)) continue;
      if (found.cover(aspect, at, length)) continue;
      found.add(aspect, at, length);
      const named = aspect === OVERALL_ASPECT && described.has(at);
      hits.push({ aspect, at, length, role: named ? 'term' : role });
    }
    const byClause = Map.groupBy(hits, ({ at }) => places[at]!.clause);
    return hits
      .filter((hit) => !byClause.get(places[hit.at]!.clause)!.some((o) => this.#yields(hit, o)))
      .map(({ aspect, at, length }) => ({ aspect, at, length }));
  }

  /** Tells whether a mention gives way to another one of its clause. */
  #yields({ aspect, role }: Form, other: Form): boolean {
    if (aspect === other.aspect) return false;
    return (
      (role === 'subject' && other.role === 'term') ||
      this.#yieldsTo.get(aspect)?.has(other.aspect) === true
    );
  }

  #plurals(terms: readonly string[]): string[] {
    const { otherNumber } = this.#language.grammar;
    return terms.map(otherNumber).filter((other, at) => other.length > terms[at]!.length);
  }

  /** Adds forms, but not `car` where it means because. */
  #add(aspect: string, role: Form['role'], forms: readonly string[]): void {
    for (const form of forms) {
      if (!this.#language.isOpen(form)) this.#matcher.add(form, { aspect, role });
    }
  }
}

/** Returns the clauses with an opinion, and those that one with `so` completes: `it was so easy`. */
function judgedClauses({ tokens, places, opinions, lexicon }: ReadText): ReadonlySet<number> {
  const clauses = new Set<number>();
  for (const { at } of opinions) {
    clauses.add(places[at]!.clause);
    if (at > 1 && lexicon.language.completed.has(tokens[at - 1]!.lower))
      clauses.add(places[at - 2]!.clause);
  }
  return clauses;
}

/** Returns the words that follow an opinion in its clause: `hotel` of `a lovely hotel`. */
function describedWords({ tokens, places, opinions, lexicon }: ReadText): ReadonlySet<number> {
  const after = opinions.flatMap(({ at, length }) => {
    const next = at + length;
    const follows =
      !lexicon.language.isNegator(tokens[at]!.lower) && places[next]?.clause === places[at]!.clause;
    return follows ? [next] : [];
  });
  return new Set(after);
}

/** Returns the opinions that are sentences of their own, as mentions of the business as a whole. */
function bareJudgments(text: ReadText, named: readonly AspectHit[]): AspectHit[] {
  const { tokens, places, opinions, lexicon } = text;
  const { language } = lexicon;
  const taken = new Set(named.map(({ at }) => places[at]!.sentence));
  return opinions.flatMap(({ at, length }) => {
    const { sentence } = places[at]!;
    const { first, last } = around(text, at, 'sentence');
    if (taken.has(sentence) || last - first >= BARE_WORDS) return [];
    if (language.courtesies.has(tokens[at]!.lower)) return [];
    const beside = [...tokens.slice(first, at), ...tokens.slice(at + length, last + 1)];
    if (
      beside.some(({ lower }) => language.isContent(lower) || language.subjectPronouns.has(lower))
    )
      return [];
    taken.add(sentence);
    return [{ aspect: OVERALL_ASPECT, at, length }];
  });
}
