import { round } from '../../base/round.ts';
import type { PerReview } from '../../schema/insights.ts';
import type { Language } from '../languages/language.ts';
import type { AspectHit } from './aspect-finder.ts';
import { opinionsWithin, type Opinion, type SentimentLexicon } from './opinions.ts';
import { evidenceOf, polarity, ruleScore } from './polarity.ts';
import { quoteAround, type ReadText } from './read-text.ts';
import type { Range } from './spans.ts';
import type { NameHit } from './technician-names.ts';
import type { Token } from './tokens.ts';

export type PersonOpinion = PerReview['technician_opinions'][number];

/** A clause that is about a person. */
interface Clause extends Range {
  /** Index of the name or pronoun, or of the first word. */
  subject: number;
}

/**
 * Returns the opinion of each technician named in a text, from the clauses about that person alone:
 * `once Luis came he was great` praises Luis, whatever the rest says. People without an opinion are
 * left out.
 */
export function personOpinions(
  text: ReadText,
  names: readonly NameHit[],
  aspects: readonly AspectHit[],
): PersonOpinion[] {
  const found: PersonOpinion[] = [];
  for (const [id, clauses] of clausesAbout(text, names)) {
    const judged = clauses
      .map((clause) => ({ clause, opinions: opinionsIn(text, clause) }))
      .filter(({ opinions }) => opinions.length > 0);
    if (judged.length === 0) continue;
    const strongest = judged.toSorted((a, b) => strength(b.opinions) - strength(a.opinions))[0]!;
    const value = scoreOf(judged.flatMap(({ opinions }) => opinions));
    found.push({
      id,
      sentiment: polarity(value),
      score: value,
      quote: quoteAround(text, strongest.clause.subject),
      aspects: aspectsIn(judged, aspects),
    });
  }
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function aspectsIn(
  judged: readonly { clause: Clause; opinions: readonly Opinion[] }[],
  aspects: readonly AspectHit[],
): PersonOpinion['aspects'] {
  const byAspect = new Map<string, Opinion[]>();
  for (const { clause, opinions } of judged) {
    const here = aspects.filter(({ at }) => at >= clause.first && at <= clause.last);
    for (const id of new Set(here.map(({ aspect }) => aspect))) {
      byAspect.set(id, [...(byAspect.get(id) ?? []), ...opinions]);
    }
  }
  return [...byAspect]
    .map(([id, opinions]) => ({ id, sentiment: polarity(scoreOf(opinions)) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Returns the score of the rules: stars judge the visit, not the person. */
function scoreOf(opinions: readonly Opinion[]): number {
  return round(ruleScore(evidenceOf(opinions)), 3);
}

function strength(opinions: readonly Opinion[]): number {
  return Math.abs(opinions.reduce((sum, { score }) => sum + score, 0));
}

/**
 * Returns the clauses about each person: those that name the person, and those that go on about the
 * last one named, with a pronoun or, in the same sentence, with a verb.
 */
function clausesAbout(
  { tokens, places, sides, others, lexicon }: ReadText,
  names: readonly NameHit[],
): ReadonlyMap<string, Clause[]> {
  const about = new Map<string, Clause[]>();
  const named = Map.groupBy(names, ({ at }) => places[at]!.clause);
  let people: NameHit[] = [];
  let goesOn = false;
  for (let first = 0; first < tokens.length;) {
    const { clause } = places[first]!;
    let last = first;
    while (places[last + 1]?.clause === clause) last++;
    const here = named.get(clause) ?? [];
    const { subject, pronoun, verb, stranger } = beginning(tokens, first, last, lexicon);
    const starts = tokens[first]!.startsSentence;
    const crosses = sides[first] !== sides[first - 1];
    if (here.length > 0) people = here;
    else if (stranger || crosses || (starts && !pronoun)) people = [];
    const continues: boolean = here.length > 0 || pronoun || (verb && goesOn && !starts);
    goesOn = people.length > 0 && continues && !others.has(first);
    for (const { id, at } of goesOn ? new Map(people.map((hit) => [hit.id, hit])).values() : []) {
      const list = about.get(id) ?? [];
      list.push({ first, last, subject: here.length > 0 ? at : subject });
      about.set(id, list);
    }
    first = last + 1;
  }
  return about;
}

/** Describes how a clause without a name begins. */
function beginning(
  tokens: readonly Token[],
  first: number,
  last: number,
  { language, trade: { actions } }: SentimentLexicon,
) {
  let subject = first;
  const isBefore = (at: number) => language.beforeSubject.has(tokens[at]!.lower);
  while (
    subject < last &&
    isBefore(subject) &&
    !language.subjectPronouns.has(tokens[subject]!.lower)
  ) {
    subject++;
  }
  const { lower } = tokens[subject]!;
  const isVerb = (word: string) =>
    language.finite.has(word) ||
    actions.has(word) ||
    language.speechVerbs.has(word) ||
    language.ambiguousActionVerbs.has(word);
  return {
    subject,
    pronoun: language.subjectPronouns.has(lower),
    verb:
      isVerb(lower) ||
      (language.grammar.isAdverb(lower) && isVerb(tokens[subject + 1]?.lower ?? '')),
    stranger: language.otherPeople.has(lower),
  };
}

/** Returns the opinions of a clause that are about its subject. */
function opinionsIn(text: ReadText, clause: Clause): Opinion[] {
  return opinionsWithin(text.opinions, clause).filter((opinion) =>
    opinion.score > 0 ? !isDeed(text, opinion) : blames(text, opinion, clause.subject),
  );
}

/** Tells whether an opinion is only what somebody did: `worked around the cake table`, `fixed it`. */
function isDeed({ tokens, lexicon }: ReadText, { at, length }: Opinion): boolean {
  const { lower } = tokens[at]!;
  return (
    length === 1 &&
    (lexicon.trade.actions.has(lower) || lexicon.language.ambiguousActionVerbs.has(lower))
  );
}

/** Words between a criticism and a name after it: `a bad experience with Luis`. */
const NEAR = 3;

/**
 * Tells whether a criticism is of the subject: `Luis was rude`, `he never called back`, `a bad
 * experience with Luis`. What a person found, fixed, refused or apologized for is no criticism of
 * the person, and neither is a negation alone, so everything less clear is left out.
 */
function blames(
  { tokens, lexicon: { language } }: ReadText,
  opinion: Opinion,
  subject: number,
): boolean {
  const { at, from, length } = opinion;
  const { lower } = tokens[at]!;
  if (language.apologies.has(lower) || (length === 1 && language.isNegator(lower))) return false;
  if (at < subject) {
    const between = tokens.slice(at + length, subject);
    return between.length <= NEAR && language.namePrepositions.has(between.at(-1)?.lower ?? '');
  }
  const between = tokens.slice(subject + 1, from).map(({ lower }) => lower);
  const isPredicate = between.some((word) => language.copulas.has(word));
  const verb = isPredicate || length > 1 || language.blamedVerbs.has(lower);
  return (
    verb &&
    between.every((word) => language.copulas.has(word) || isBeforeComplement(word, language))
  );
}

function isBeforeComplement(word: string, language: Language): boolean {
  return (
    language.degrees.has(word) || language.determiners.has(word) || language.grammar.isAdverb(word)
  );
}
