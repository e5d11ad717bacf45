import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { keptWith } from '../../base/kept.ts';
import { round } from '../../base/round.ts';
import type { InsightsInputs } from '../../schema/insights-inputs.ts';
import type { PerReview, Sentiment } from '../../schema/insights.ts';
import { isParted } from '../../schema/review-parts.ts';
import type { Review, ReviewRecord } from '../../schema/review.ts';
import { OVERALL_ASPECT, type Vocabulary } from '../../schema/vocabulary.ts';
import type { Language } from '../languages/language.ts';
import { knownLanguage, UNREAD } from '../languages/languages.ts';
import { AspectFinder, type AspectHit } from './aspect-finder.ts';
import { labelAspects } from './aspect-labels.ts';
import { findPhrases } from './find-phrases.ts';
import { negatorOf, sentimentLexicon, type SentimentLexicon } from './opinions.ts';
import { quoteRange, readText, slice, type ReadText } from './read-text.ts';
import { smallWords, type SmallWords } from './strangers.ts';
import { sentenceSide } from './carries-side.ts';
import { Judge } from './judge.ts';
import { starScore, starSentiment } from './polarity.ts';
import { PolarityModel } from './polarity-model.ts';
import { personOpinions } from './person-opinions.ts';
import { TechnicianNames } from './technician-names.ts';
import { termIds, TermFinder, type TermHit } from './term-finder.ts';
import { tokenize, type Token } from './tokens.ts';

export const ENGINE = 'local-rules';
/** The parts of a review that its reading depends on, the same in records and published reviews. */
type ReadableReview = Pick<
  ReviewRecord | Review,
  'title' | 'text' | 'criticism_at' | 'language' | 'rating'
>;

type Passage = PerReview['passages'][number];

/**
 * Reads reviews one at a time, each in its own language; its labels depend only on the review. In a
 * language that is not known, only stars and mentions count.
 */
export class ReviewReader {
  readonly #readerOf: (language: Language) => LanguageReader;

  /** @param small words of all reviews; without them, more words are taken for names */
  constructor(vocabulary: Vocabulary, model: PolarityModel, small: SmallWords = new Set()) {
    this.#readerOf = keptWith(
      (language: Language) => new LanguageReader(vocabulary, model, small, language),
    );
  }

  read(record: ReadableReview): PerReview {
    return this.#readerOf(knownLanguage(record.language) ?? UNREAD).read(record);
  }
}

/** Reads each review and returns the readings by id. The order of the reviews does not matter. */
export function readReviews(
  reviews: readonly (ReadableReview & { id: string })[],
  { vocabulary, weights }: Pick<InsightsInputs, 'vocabulary' | 'weights'>,
): ReadonlyMap<string, PerReview> {
  const reader = new ReviewReader(vocabulary, new PolarityModel(weights), smallWords(reviews));
  return new Map(reviews.map((review) => [review.id, reader.read(review)]));
}

/** Reads reviews of one language. */
class LanguageReader {
  readonly #model: PolarityModel;
  readonly #lexicon: SentimentLexicon;
  readonly #aspects: AspectFinder;
  readonly #names: TechnicianNames;
  readonly #terms: TermFinder;

  constructor(vocabulary: Vocabulary, model: PolarityModel, small: SmallWords, language: Language) {
    const { lexicon, aspects, trade } = vocabulary;
    this.#model = model;
    this.#lexicon = sentimentLexicon(lexicon, aspects, trade, language);
    this.#aspects = new AspectFinder(aspects, language);
    this.#names = new TechnicianNames(vocabulary, language, small);
    this.#terms = new TermFinder(vocabulary, language);
  }

  read(record: ReadableReview): PerReview {
    const isRead = this.#lexicon.language !== UNREAD;
    const text = isRead ? readReviewText(record, this.#lexicon) : undefined;
    const tokens = text?.tokens ?? tokenize(reviewWords(record));
    const technicians = this.#names.find(tokens);
    const { services, service_areas, topics, ...terms } = this.#terms.find(tokens);
    const problems = text ? terms.problems.filter((hit) => isSo(text, hit)) : terms.problems;
    const found = text ? this.#aspects.find(text) : [];
    const named = [...services, ...problems];
    const judge = text && new Judge(text, found, this.#model, named);
    const { counted } = this.#lexicon.language;
    const aspects = judge ? labelAspects(judge, found, counted ? record.rating : 3) : [];
    const ofPeople = found.filter(({ aspect }) => aspect !== OVERALL_ASPECT);
    const people = text ? personOpinions(text, technicians, ofPeople) : [];
    for (const label of [...aspects, ...people]) {
      if (!mayPraise(label.sentiment, record) && this.#mayName(label.quote)) label.quote = null;
    }
    const sentiments = new Map(aspects.map(({ id, sentiment }) => [id, sentiment]));
    const phrases = text ? this.#phrases(record, text, found, sentiments, topics) : [];
    const hits = Object.entries({ topics, problems, services }) as [Passage['kind'], TermHit[]][];
    const passages = judge
      ? hits.flatMap(([kind, own]) => this.#passages(judge, kind, own, record.rating))
      : [];
    return {
      content_hash: contentHash(record),
      source: ENGINE,
      sentiment: starSentiment(record.rating),
      score: round(starScore(record.rating), 3),
      aspects,
      technicians: termIds(technicians),
      services: termIds(services),
      service_areas: termIds(service_areas),
      problems: termIds(problems),
      topics: termIds(topics),
      phrases,
      passages,
      technician_opinions: people,
    };
  }

  #phrases(
    record: ReadableReview,
    text: ReadText,
    found: readonly AspectHit[],
    sentiments: ReadonlyMap<string, Sentiment>,
    topics: readonly TermHit[],
  ): PerReview['phrases'] {
    return findPhrases(text, found, (aspect) => sentiments.get(aspect)!)
      .filter(({ sentiment, text: piece }) => mayPraise(sentiment, record) || !this.#mayName(piece))
      .map(({ aspect, text: piece, opinion, at, length }) => {
        const named = topics.filter((hit) => hit.at >= at && hit.at + hit.length <= at + length);
        return { aspect, text: piece, opinion, topics: termIds(named) };
      });
  }

  /** Returns the sentence that mentions each entry first, without its words if it is not to be quoted. */
  #passages(
    judge: Judge,
    kind: Passage['kind'],
    hits: readonly TermHit[],
    rating: number,
  ): Passage[] {
    const passages = new Map<string, Passage>();
    for (const hit of hits) {
      const { id, at } = hit;
      if (passages.has(id)) continue;
      const range = quoteRange(judge.text, at);
      const quote = slice(judge.text, range);
      const { sentiment, alone } = sentenceSide(judge, hit, range);
      const praises = starSentiment(rating) === 'positive' && sentiment !== 'negative';
      const text = alone && (praises || !this.#mayName(quote)) ? quote : null;
      passages.set(id, { kind, id, text, sentiment });
    }
    return [...passages.values()];
  }

  /** Tells whether a quote may name a person. */
  #mayName(quote: string | null): boolean {
    return quote !== null && this.#names.mayName(tokenize(quote, this.#lexicon.language));
  }
}

/** Tells whether this business had a problem and it happened: `no long wait` denies one. */
function isSo({ tokens, others, unreal, said, lexicon }: ReadText, { at }: TermHit): boolean {
  const { isNegator } = lexicon.language;
  const isDenied =
    !isNegator(tokens[at]!.lower) && negatorOf(tokens, at, said, lexicon.language) < at;
  return !isDenied && !others.has(at) && !unreal.has(at);
}

/** Tells whether a quote praises, so that it may have a name: nothing of a low review does. */
function mayPraise(sentiment: Sentiment, { rating }: ReadableReview): boolean {
  return sentiment === 'positive' && starSentiment(rating) !== 'negative';
}

/** Returns a hash of a review's words; an annotation is valid only for the hash it was made for. */
export function contentHash(review: Pick<ReadableReview, 'title' | 'text'>): string {
  return hash(reviewWords(review)).slice(0, 16);
}

/** Returns the sha-256 of a text, in hex; the same in Node and in browsers. */
export function hash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** Reads the words of a review, with the parts that it has. */
export function readReviewText(review: ReadableReview, lexicon: SentimentLexicon): ReadText {
  return readText(reviewWords(review), lexicon, (tokens) => partSides(tokens, review));
}

/**
 * Returns the side of the form that each word of a review was written into: 1 for praise, -1 for
 * criticism, 0 in a title and in a text without such parts.
 */
function partSides(tokens: readonly Token[], review: ReadableReview): Int8Array {
  const sides = new Int8Array(tokens.length);
  const { title, criticism_at: at = 0 } = review;
  if (!isParted(review)) return sides;
  const text = title == null ? 0 : title.length + 1;
  return sides.map((_, word) => {
    const { start } = tokens[word]!;
    if (start < text) return 0;
    return start < text + at ? 1 : -1;
  });
}

/** Returns the words of a review that are read: the title, then the text. */
export function reviewWords({ title, text }: Pick<ReadableReview, 'title' | 'text'>): string {
  return [title, text].filter((part) => part != null).join('\n');
}
