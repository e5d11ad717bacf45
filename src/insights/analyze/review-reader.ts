import { createHash } from 'node:crypto';
import { round } from '../../dataset/round.ts';
import type { PerReview, Sentiment } from '../../schema/insights.ts';
import type { ReviewRecord } from '../../schema/review.ts';
import type { Vocabulary } from '../../schema/vocabulary.ts';
import { AspectFinder, type AspectHit } from './aspect-finder.ts';
import { labelAspects } from './aspect-labels.ts';
import { findPhrases, type Phrase } from './find-phrases.ts';
import { sentimentLexicon, type SentimentLexicon } from './opinions.ts';
import { idsOf, MentionFinder } from './mention-finder.ts';
import { quoteAround, readText, type ReadText } from './read-text.ts';
import { starScore, starSentiment } from './polarity.ts';
import { TermFinder, type TermHit } from './term-finder.ts';
import { tokenize } from './tokens.ts';

export const ENGINE = 'local-rules';
/**
 * The language of the rules, with its varieties (`en-US`). In other languages only stars and
 * mentions count.
 */
export const ENGINE_LANGUAGE = 'en';

/** A phrase with the topics of its sentence. */
export interface ReadPhrase extends Phrase {
  topics: readonly string[];
}

/** The kinds of mentions that have passages. */
export type PassageKind = 'services' | 'problems' | 'topics';

/** A review as read: its published labels, and the pieces that summaries may quote. */
export interface Reading {
  labels: PerReview;
  phrases: ReadPhrase[];
  /** By id, the sentence that mentions it first, verbatim. */
  passages: Record<PassageKind, ReadonlyMap<string, string>>;
}

/** Reads reviews one at a time; a reading depends only on its review. */
export class ReviewReader {
  readonly #lexicon: SentimentLexicon;
  readonly #aspects: AspectFinder;
  readonly #mentions: MentionFinder;
  readonly #topics: TermFinder;

  constructor(vocabulary: Vocabulary) {
    this.#lexicon = sentimentLexicon(vocabulary.lexicon);
    this.#aspects = new AspectFinder(vocabulary.aspects);
    this.#mentions = new MentionFinder(vocabulary);
    this.#topics = new TermFinder(
      vocabulary.topics.map(({ id, terms, exclude }) => ({ id, forms: terms, exclude })),
      { overlapping: true },
    );
  }

  read(record: ReviewRecord): Reading {
    const words = wordsOf(record);
    const [language] = (record.language ?? ENGINE_LANGUAGE).split('-');
    const text = language === ENGINE_LANGUAGE ? readText(words, this.#lexicon) : undefined;
    const { technicians, services, service_areas, problems } = this.#mentions.find(
      text?.tokens ?? tokenize(words),
    );
    const topics = text ? this.#topics.find(text.tokens) : [];
    const found = text ? this.#aspects.find(text) : [];
    const aspects = text ? labelAspects(text, found, record.rating) : [];
    for (const label of aspects) {
      if (label.sentiment === 'negative' && this.#names(label.quote)) label.quote = null;
    }
    const sentiments = new Map(aspects.map(({ id, sentiment }) => [id, sentiment]));
    const phrases = text ? this.#phrases(text, found, sentiments, topics) : [];
    const passages = (hits: readonly TermHit[]) =>
      text ? this.#passages(text, hits, record.rating) : new Map<string, string>();
    return {
      labels: {
        content_hash: contentHash(record),
        source: ENGINE,
        sentiment: starSentiment(record.rating),
        score: round(starScore(record.rating), 3),
        aspects,
        technicians,
        services: idsOf(services),
        service_areas: idsOf(service_areas),
        problems: idsOf(problems),
        topics: idsOf(topics),
      },
      phrases,
      passages: {
        services: passages(services),
        problems: passages(problems),
        topics: passages(topics),
      },
    };
  }

  #phrases(
    text: ReadText,
    found: readonly AspectHit[],
    sentiments: ReadonlyMap<string, Sentiment>,
    topics: readonly TermHit[],
  ): ReadPhrase[] {
    const topicsOf = topicsBySentence(text, topics);
    return findPhrases(text, found, (aspect) => sentiments.get(aspect)!)
      .filter(({ sentiment, text: piece }) => sentiment === 'positive' || !this.#names(piece))
      .map((phrase) => {
        const { sentence } = text.places[phrase.at]!;
        return { ...phrase, topics: topicsOf.get(sentence) ?? [] };
      });
  }

  #passages(text: ReadText, hits: readonly TermHit[], rating: number): Map<string, string> {
    const passages = new Map<string, string>();
    for (const { id, at } of hits) {
      if (passages.has(id)) continue;
      const quote = quoteAround(text, at);
      const praises = starSentiment(rating) === 'positive' && !blames(text, at);
      if (praises || !this.#names(quote)) passages.set(id, quote);
    }
    return passages;
  }

  /** Tells whether a quote may name a technician. Criticism is never quoted with a name. */
  #names(quote: string | null): boolean {
    return quote !== null && this.#mentions.mayName(tokenize(quote));
  }
}

function blames({ places, opinions }: ReadText, at: number): boolean {
  const { sentence } = places[at]!;
  const here = opinions.filter((opinion) => places[opinion.at]!.sentence === sentence);
  return here.reduce((sum, { score }) => sum + score, 0) < 0;
}

/** Returns the ids of the topics of each sentence that has any. */
function topicsBySentence(
  { places }: ReadText,
  topics: readonly TermHit[],
): ReadonlyMap<number, string[]> {
  const hits = Map.groupBy(topics, ({ at }) => places[at]!.sentence);
  return new Map([...hits].map(([sentence, within]) => [sentence, idsOf(within)]));
}

/** Returns a hash of a review's words; an annotation is valid only for the hash it was made for. */
export function contentHash(record: Pick<ReviewRecord, 'title' | 'text'>): string {
  return createHash('sha256').update(wordsOf(record)).digest('hex').slice(0, 16);
}

function wordsOf({ title, text }: Pick<ReviewRecord, 'title' | 'text'>): string {
  return [title, text].filter((part) => part != null).join('\n');
}
