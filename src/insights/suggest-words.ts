import type { ReviewRecord } from '../schema/review.ts';
import type { Vocabulary } from '../schema/vocabulary.ts';
import { AspectFinder } from './analyze/aspect-finder.ts';
import { sentimentLexicon } from './analyze/opinions.ts';
import { around, readText, slice } from './analyze/read-text.ts';
import { tokenize, type Token } from './analyze/tokens.ts';
import { ENGLISH, knownLanguage } from './languages/languages.ts';

/** Words of reviews that a vocabulary lacks. */
export interface Missing {
  text: string;
  /** Number of reviews with them. */
  reviews: number;
  /** The clause of one review, verbatim. */
  example: string;
}

/** Opinions, and what the vocabulary makes of them. */
export interface Gaps {
  opinions: number;
  /** Opinions in sentences that mention no aspect. */
  elsewhere: number;
  /** Words beside those opinions, most frequent first. */
  words: Missing[];
  /** Pairs of words that may be services. */
  services: Missing[];
  areas: Missing[];
}

/** Words farther from an opinion are about something else. */
const NEAR = 3;
/** A word or pair is listed from this many reviews on, or from this share of them. */
const MIN_REVIEWS = 3;
const MIN_SHARE = 0.002;
const LISTED = 15;
/** Between the words of a place: `Gare du Nord`. */
const PARTICLES = new Set(['da', 'de', 'del', 'des', 'di', 'du', 'of', 'the', 'upon', 'von']);
/** After a name they make it a shop's or a club's. */
const CUSTOMERS = new Set(['customer', 'customers', 'member', 'members']);

/** Finds what English reviews judge and mention beside the vocabulary and the business itself. */
export function findGaps(
  reviews: readonly ReviewRecord[],
  vocabulary: Vocabulary,
  business: string,
): Gaps {
  const finder = new AspectFinder(vocabulary.aspects);
  const lexicon = sentimentLexicon(vocabulary.lexicon, vocabulary.aspects, vocabulary.trade);
  const known = knownWords(vocabulary, business);
  const words = new Tally();
  const services = new Tally();
  const areas = new Tally();
  let opinions = 0;
  let elsewhere = 0;
  for (const { id, language, text } of reviews) {
    if (text == null || knownLanguage(language) !== ENGLISH) continue;
    const read = readText(text, lexicon);
    const { places, tokens } = read;
    const judged = new Set(finder.find(read).map(({ at }) => places[at]!.sentence));
    const clauseAt = (at: number) => slice(read, ...around(read, at, 'clause'));
    const isNew = (token: Token | undefined): token is Token =>
      token !== undefined &&
      ENGLISH.isContent(token.lower) &&
      /^\p{L}{3,}$/u.test(token.lower) &&
      !known.has(token.lower) &&
      !lexicon.words.has(token.lower) &&
      !ENGLISH.vague.has(token.lower) &&
      !ENGLISH.grammar.isAdverb(token.lower) &&
      !ENGLISH.calendar.has(token.lower);
    opinions += read.opinions.length;
    for (const opinion of read.opinions) {
      if (judged.has(places[opinion.at]!.sentence)) continue;
      elsewhere++;
      for (let at = opinion.at - NEAR; at < opinion.at + opinion.length + NEAR; at++) {
        const token = tokens[at];
        if (places[at]?.clause !== places[opinion.at]!.clause || !isNew(token)) continue;
        if (token.text === token.lower) words.add(token.lower, id, () => clauseAt(at));
      }
    }
    for (const [at, token] of tokens.entries()) {
      const next = tokens[at + 1];
      const goesOn = next?.startsSentence === false && next.gap === ' ';
      if (goesOn && isNew(token) && isNew(next) && next.text === next.lower) {
        services.add(`${token.lower} ${next.lower}`, id, () => clauseAt(at));
      }
      if (!ENGLISH.placePrepositions.has(token.lower) || known.has(next?.lower ?? '')) continue;
      const area = placeAt(tokens, at + 1);
      if (area !== undefined) areas.add(area, id, () => clauseAt(at));
    }
  }
  const least = Math.max(MIN_REVIEWS, Math.ceil(reviews.length * MIN_SHARE));
  return {
    opinions,
    elsewhere,
    words: words.most(least),
    services: services.most(least),
    areas: areas.most(least),
  };
}

/** Returns the name of a place that begins at a token: `Hyde Park`, `Gare du Nord`. */
function placeAt(tokens: readonly Token[], at: number): string | undefined {
  const goesOn = (index: number) =>
    tokens[index]?.startsSentence === false && tokens[index].gap === ' ';
  const isCapitalized = (index: number) =>
    goesOn(index) && /^\p{Lu}\p{Ll}/u.test(tokens[index]!.text);
  if (!isCapitalized(at) || ENGLISH.calendar.has(tokens[at]!.lower)) return undefined;
  let end = at + 1;
  for (;;) {
    const next = goesOn(end) && PARTICLES.has(tokens[end]!.text) ? end + 1 : end;
    if (!isCapitalized(next) || ENGLISH.calendar.has(tokens[next]!.lower)) break;
    end = next + 1;
  }
  const after = goesOn(end) ? tokens[end]!.lower : '';
  if (ENGLISH.namedAfterPlaces.has(after) || ENGLISH.namedAfterPlaces.has(tokens[end - 1]!.lower))
    return undefined;
  if (CUSTOMERS.has(after)) return undefined;
  const words = tokens.slice(at, end).map(({ text }) => text);
  return words.join(' ').replace(/['’]s$/, '');
}

/** Returns the part of the opinions that the vocabulary does not cover, in a sentence. */
export function describeGaps({ opinions, elsewhere }: Gaps): string {
  if (opinions === 0) return 'The reviews have no opinions in words';
  const share = Math.round((100 * elsewhere) / opinions);
  return `${share} % of the opinions in the reviews are about nothing that content/vocabulary names`;
}

/** Returns every word of the vocabulary and of the name of the business. */
function knownWords(vocabulary: Vocabulary, business: string): Set<string> {
  const { aspects, problems, service_areas, services, technicians, topics } = vocabulary;
  const forms = [
    ...aspects.flatMap(({ terms, phrases, subjects }) => [...terms, ...phrases, ...subjects]),
    ...[services, service_areas, problems].flatMap((terms) =>
      terms.flatMap(({ label, aliases }) => [label, ...aliases]),
    ),
    ...topics.flatMap(({ terms }) => terms),
    ...technicians.flatMap(({ name, aliases }) => [name, ...aliases]),
    business,
  ];
  return new Set(forms.flatMap((form) => tokenize(form).map(({ lower }) => lower)));
}

/** Counts reviews by text, and keeps the first example. */
class Tally {
  readonly #found = new Map<string, { ids: Set<string>; example: string }>();

  add(text: string, id: string, example: () => string): void {
    const found = this.#found.get(text);
    if (found) found.ids.add(id);
    else this.#found.set(text, { ids: new Set([id]), example: example() });
  }

  most(least: number): Missing[] {
    return [...this.#found]
      .map(([text, { ids, example }]) => ({ text, reviews: ids.size, example }))
      .filter(({ reviews }) => reviews >= least)
      .sort((a, b) => b.reviews - a.reviews || (a.text < b.text ? -1 : 1))
      .slice(0, LISTED);
  }
}
