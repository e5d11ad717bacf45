import { namesIn } from '../schema/by-language.ts';
import type { ReviewRecord } from '../schema/review.ts';
import type { Vocabulary } from '../schema/vocabulary.ts';
import { AspectFinder } from '../insights/analyze/aspect-finder.ts';
import { sentimentLexicon } from '../insights/analyze/opinions.ts';
import { around, readText, slice } from '../insights/analyze/read-text.ts';
import { tokenize } from '../insights/analyze/tokens.ts';
import { ENGLISH, knownLanguage } from '../insights/languages/languages.ts';

/** A word of reviews that a vocabulary lacks. */
export interface Missing {
  text: string;
  /** Number of reviews with it. */
  reviews: number;
  /** A piece of one review, verbatim. */
  example: string;
}

/** Opinions, and what the vocabulary makes of them. */
interface Gaps {
  opinions: number;
  /** Opinions in sentences that mention no aspect. */
  elsewhere: number;
  /** Words beside those opinions, most frequent first. */
  words: Missing[];
}

/** Words farther from an opinion are about something else. */
const NEAR = 3;
/** A word is listed from this many reviews on, or from this share of them. */
const MIN_REVIEWS = 3;
const MIN_SHARE = 0.002;
const LISTED = 15;

/** Finds what English reviews judge beside the vocabulary and the business itself. */
export function findGaps(
  reviews: readonly ReviewRecord[],
  vocabulary: Vocabulary,
  business: string,
): Gaps {
  const finder = new AspectFinder(vocabulary.aspects);
  const lexicon = sentimentLexicon(vocabulary.lexicon, vocabulary.aspects, vocabulary.trade);
  const known = knownWords(vocabulary).union(new Set(tokenize(business).map(({ lower }) => lower)));
  const words = new MissingTally();
  let opinions = 0;
  let elsewhere = 0;
  for (const { id, language, text } of reviews) {
    if (text == null || knownLanguage(language) !== ENGLISH) continue;
    const read = readText(text, lexicon);
    const { places, tokens } = read;
    const judged = new Set(finder.find(read).map(({ at }) => places[at]!.sentence));
    opinions += read.opinions.length;
    for (const opinion of read.opinions) {
      if (judged.has(places[opinion.at]!.sentence)) continue;
      elsewhere++;
      for (let at = opinion.at - NEAR; at < opinion.at + opinion.length + NEAR; at++) {
        if (places[at]?.clause !== places[opinion.at]!.clause) continue;
        const { text: word, lower } = tokens[at]!;
        const isNew =
          word === lower && isThing(lower) && !known.has(lower) && !lexicon.words.has(lower);
        if (isNew) words.add(lower, id, () => slice(read, around(read, at, 'clause')));
      }
    }
  }
  const min = Math.max(MIN_REVIEWS, Math.ceil(reviews.length * MIN_SHARE));
  return { opinions, elsewhere, words: words.frequent(min).slice(0, LISTED) };
}

/** Tells whether a word may name something that customers judge. */
function isThing(word: string): boolean {
  return (
    /^\p{L}{3,}$/u.test(word) &&
    ENGLISH.isContent(word) &&
    !ENGLISH.vague.has(word) &&
    !ENGLISH.grammar.isAdverb(word) &&
    !ENGLISH.calendar.has(word)
  );
}

/** Returns the part of the opinions that the vocabulary does not cover, in a sentence. */
export function describeGaps({ opinions, elsewhere }: Gaps): string {
  if (opinions === 0) return 'The reviews have no opinions in words';
  const share = Math.round((100 * elsewhere) / opinions);
  return `${share} % of the opinions in the reviews are about nothing that content/vocabulary names`;
}

/** Returns every word of a vocabulary. */
export function knownWords(vocabulary: Vocabulary): Set<string> {
  const { aspects, problems, service_areas, services, technicians, topics } = vocabulary;
  const forms = [
    ...[...aspects, ...services, ...service_areas, ...problems, ...topics].flatMap((entry) =>
      namesIn(entry, ENGLISH.code),
    ),
    ...technicians.flatMap(({ name, aliases }) => [name, ...aliases]),
  ];
  return new Set(forms.flatMap((form) => tokenize(form).map(({ lower }) => lower)));
}

/** Counts reviews by a text in them, and keeps the first example. */
export class MissingTally {
  readonly #found = new Map<string, { ids: Set<string>; example: string }>();

  add(text: string, id: string, example: () => string): void {
    const found = this.#found.get(text);
    if (found) found.ids.add(id);
    else this.#found.set(text, { ids: new Set([id]), example: example() });
  }

  /** Returns the texts of at least so many reviews, most frequent first. */
  frequent(min: number): Missing[] {
    return [...this.#found]
      .map(([text, { ids, example }]) => ({ text, reviews: ids.size, example }))
      .filter(({ reviews }) => reviews >= min)
      .sort((a, b) => b.reviews - a.reviews || (a.text < b.text ? -1 : 1));
  }
}
