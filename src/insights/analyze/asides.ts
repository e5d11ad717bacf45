import type { Language } from '../languages/language.ts';
import type { Place } from './clauses.ts';
import { PhraseMatcher } from './phrase-matcher.ts';
import { addWords } from './spans.ts';
import { isCapitalized, type Token } from './tokens.ts';
import type { TradeSets } from './trade.ts';

/** The words of a text that say nothing of this business as it is, by their index. */
export interface Asides {
  /** About another business or person, or told by somebody else. */
  others: ReadonlySet<number>;
  /** About something that was not so: `would have been great`. */
  unreal: ReadonlySet<number>;
  /** Words of the phrases that say so, whose negators negate nothing else. */
  said: ReadonlySet<number>;
}

/** Kinds of phrases, by their effect on the words around them. */
type Kind = 'unreal' | 'hearsay' | 'elsewhere' | 'nearby' | 'conditions';

/** Finds phrases of a language that make an aside. */
export function asidePhrases(language: Language): PhraseMatcher<Kind> {
  const phrases = new PhraseMatcher<Kind>(language);
  for (const kind of ['unreal', 'hearsay', 'elsewhere', 'nearby', 'conditions'] as const) {
    for (const phrase of language[kind]) phrases.add(phrase, kind);
  }
  return phrases;
}

/**
 * Finds the asides of a text: `the last company was rude`, `the place across the street has better
 * food`, `the reviews say it is loud`, `would have been great if it had been warm`; what goes on after
 * `and` or `but` is none: `better than expected and quick`.
 *
 * @param tokens without the names of the business
 */
export function findAsides(
  tokens: readonly Token[],
  places: readonly Place[],
  phrases: PhraseMatcher<Kind>,
  trade: TradeSets,
  language: Language,
): Asides {
  const others = new Set<number>();
  const unreal = new Set<number>();
  const said = new Set<number>();
  const mark = (set: Set<number>, from: number) => {
    for (let at = from; places[at]?.clause === places[from]?.clause && at < tokens.length; at++)
      set.add(at);
  };
  /** Marks a clause; of a comparison only what this business is compared with. */
  const markClause = (within: number) => {
    const { clause } = places[within]!;
    let first = within;
    while (places[first - 1]?.clause === clause) {
      if (language.comparisons.has(tokens[first - 1]!.lower)) break;
      first--;
    }
    mark(others, first);
  };
  const conditions: number[] = [];
  const sentencesElsewhere = new Set<number>();
  for (const { value, at, length } of phrases.matches(tokens)) {
    const isNearby = value === 'nearby' && trade.businesses.has(tokens[at - 1]?.lower ?? '');
    if (value === 'unreal' || value === 'hearsay') {
      const next = at + length;
      addWords(said, { at, length });
      const { lower = '' } = tokens[next] ?? {};
      const isOver = language.listJoins.has(lower) || language.contrasts.has(lower);
      if (!isOver && places[next]?.sentence === places[at]!.sentence)
        mark(value === 'unreal' ? unreal : others, next);
    } else if (value === 'conditions') conditions.push(at);
    else if (value === 'elsewhere' || isNearby) {
      sentencesElsewhere.add(places[at]!.sentence);
      markClause(at);
    }
  }
  for (const at of conditions) {
    if (sentencesElsewhere.has(places[at]!.sentence)) mark(others, at);
  }
  tokens.forEach(({ lower, startsSentence }, at) => {
    if (isOther(tokens, places, at, trade, language)) markClause(at);
    if (isTold(tokens, at, language)) markQuoted(tokens, at, others);
    const starts = places[at - 1]?.clause !== places[at]!.clause;
    const goesOn =
      starts && !startsSentence && others.has(at - 1) && language.continuations.has(lower);
    if (goesOn) mark(others, at);
  });
  return { others, unreal, said };
}

/**
 * Tells whether a word begins a mention of somebody else that its clause is about: `the last company`,
 * `Fidelio Bank was`, `our dog`; not an object, as in `I called another company`.
 */
function isOther(
  tokens: readonly Token[],
  places: readonly Place[],
  at: number,
  { businesses, modifiers, bystanders }: TradeSets,
  language: Language,
): boolean {
  const { clause } = places[at]!;
  const wordAt = (place: number) => (places[place]?.clause === clause ? tokens[place]!.lower : '');
  const isCalled = isNamed(tokens[at]) && isNamed(tokens[at + 1]) && businesses.has(wordAt(at + 1));
  if (isCalled && language.auxiliaries.has(wordAt(at + 2))) return true;
  const isNamedOther = language.other.has(wordAt(at));
  let first = at;
  while (language.beforeSubject.has(wordAt(first - 1))) first--;
  const isSubject = wordAt(first - 1) === '';
  const follows = isNamedOther && language.prepositions.has(wordAt(first - 1));
  if (!isSubject && !follows) return false;
  if (bystanders.has(wordAt(at))) return true;
  let noun = isNamedOther ? at + 1 : at;
  if (modifiers.has(wordAt(noun)) && businesses.has(wordAt(noun + 1))) noun++;
  if (!businesses.has(wordAt(noun))) return false;
  const next = `${wordAt(noun + 1)} ${wordAt(noun + 2)}`;
  if (!isNamedOther) return language.formerly.has(next);
  const { occasions, ofThisBusiness } = language;
  return ![wordAt(noun + 1), next].some((word) => occasions.has(word) || ofThisBusiness.has(word));
}

const OPENS_QUOTE = /["“«]\s?$/;
const CLOSES_QUOTE = /^[^\p{L}]*["”»]/u;
/** A quotation of fewer words is the writer's own: `the "chef"`. */
const MIN_QUOTED = 3;

/** Tells whether a quotation of somebody else begins at a word: `they said "the best doctors"`. */
function isTold(tokens: readonly Token[], at: number, { speechVerbs }: Language): boolean {
  return (
    OPENS_QUOTE.test(tokens[at]!.gap) &&
    [1, 2].some((back) => speechVerbs.has(tokens[at - back]?.lower ?? ''))
  );
}

function markQuoted(tokens: readonly Token[], first: number, others: Set<number>): void {
  const closed = tokens.findIndex(({ gap }, at) => at > first && CLOSES_QUOTE.test(gap));
  const end = closed < 0 ? tokens.length : closed;
  if (end - first < MIN_QUOTED) return;
  for (let at = first; at < end; at++) others.add(at);
}

function isNamed(token: Token | undefined): boolean {
  return token !== undefined && token.lower !== '' && isCapitalized(token);
}
