import { createHash } from 'node:crypto';
import { round } from '../dataset/round.ts';
import type { PerReview } from '../schema/insights.ts';
import type { ReviewRecord } from '../schema/review.ts';
import type { Vocabulary } from '../schema/vocabulary.ts';
import { AspectFinder } from './aspect-finder.ts';
import { labelAspects } from './aspect-labels.ts';
import { sentimentLexicon, type SentimentLexicon } from './lexicon.ts';
import { MentionFinder } from './mention-finder.ts';
import { findPhrases, type Phrase } from './phrases.ts';
import { PhraseMatcher } from './phrase-matcher.ts';
import { readText } from './read-text.ts';
import { starScore, starSentiment } from './star-sentiment.ts';
import { TechnicianNames } from './technician-names.ts';
import { tokenize, type Token } from './tokens.ts';

export const ENGINE = 'local-rules';
/** The language the rules are written for; of others only stars and mentions are read. */
export const ENGINE_LANGUAGE = 'en';

/** What one review says: what is published of it, and the phrases it adds to the aspects. */
export interface Reading {
  labels: PerReview;
  phrases: Phrase[];
}

/** Reads reviews one by one; what it says of one depends on nothing but that review. */
export class ReviewReader {
  readonly #lexicon: SentimentLexicon;
  readonly #aspects: AspectFinder;
  readonly #mentions: MentionFinder;
  readonly #technicians: TechnicianNames;
  readonly #topics = new PhraseMatcher<string>();

  constructor(vocabulary: Vocabulary) {
    this.#lexicon = sentimentLexicon(vocabulary.lexicon);
    this.#aspects = new AspectFinder(vocabulary.aspects);
    this.#mentions = new MentionFinder(vocabulary);
    this.#technicians = new TechnicianNames(vocabulary.technicians);
    for (const { id, terms } of vocabulary.topics) {
      for (const term of terms) this.#topics.add(term, id);
    }
  }

  read(record: ReviewRecord): Reading {
    const words = wordsOf(record);
    const own = (record.language ?? ENGINE_LANGUAGE) === ENGINE_LANGUAGE;
    const text = own ? readText(words, this.#lexicon) : undefined;
    const tokens = text?.tokens ?? tokenize(words);
    const aspects = text ? labelAspects(text, this.#aspects, record.rating) : [];
    for (const label of aspects) {
      if (label.sentiment === 'negative' && this.#names(label.quote)) label.quote = null;
    }
    const sentiments = new Map(aspects.map(({ id, sentiment }) => [id, sentiment]));
    const phrases = text
      ? findPhrases(text, this.#aspects.find(text), (aspect) => sentiments.get(aspect)!)
      : [];
    return {
      labels: {
        content_hash: contentHash(record),
        source: ENGINE,
        sentiment: starSentiment(record.rating),
        score: round(starScore(record.rating), 3),
        aspects,
        ...this.#mentions.find(tokens),
        topics: text ? this.#topicsOf(tokens) : [],
      },
      phrases: phrases.filter(({ sentiment, text: piece }) =>
        sentiment === 'positive' ? true : !this.#names(piece),
      ),
    };
  }

  #topicsOf(tokens: readonly Token[]): string[] {
    return [...new Set([...this.#topics.everyMatch(tokens)].map(({ value }) => value))].sort();
  }

  /** Technicians are people: what is said against one is never quoted with a name. */
  #names(quote: string | null): boolean {
    return quote !== null && this.#technicians.mayName(tokenize(quote));
  }
}

/** What an annotation is keyed by: it no longer holds once the words changed. */
export function contentHash(record: Pick<ReviewRecord, 'title' | 'text'>): string {
  return createHash('sha256').update(wordsOf(record)).digest('hex').slice(0, 16);
}

function wordsOf({ title, text }: Pick<ReviewRecord, 'title' | 'text'>): string {
  return [title, text].filter((part) => part != null).join('\n');
}
