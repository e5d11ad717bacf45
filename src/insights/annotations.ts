import { keptWith } from '../base/kept.ts';
import { ID_LISTS, type Annotation } from '../schema/annotation.ts';
import type { PerReview, Sentiment } from '../schema/insights.ts';
import { quotablePieces } from '../schema/review-parts.ts';
import type { Review, ReviewRecord } from '../schema/review.ts';
import type { Vocabulary } from '../schema/vocabulary.ts';
import { smallWords } from './analyze/strangers.ts';
import { TechnicianNames } from './analyze/technician-names.ts';
import { tokenize } from './analyze/tokens.ts';
import type { Language } from './languages/language.ts';
import { knownLanguage, UNREAD } from './languages/languages.ts';

/** Scores of aspects that were labeled without one. */
const SCORE: Record<Sentiment, number> = { positive: 0.6, neutral: 0, negative: -0.6 };

/** The readings with annotations, and the annotations that could not be used. */
interface Annotated<T extends Annotation> {
  readings: ReadonlyMap<string, PerReview>;
  /** The annotations of published reviews that are not stale. */
  used: T[];
  /** Skipped, because their review changed after they were made. */
  stale: T[];
  /** Quotes that must not be published, with the reason. */
  refused: { annotation: T; field: string; quote: string; reason: string }[];
}

/**
 * Replaces labels of the engine with those of annotations; the last annotation of a review wins.
 */
export function annotateReadings<T extends Annotation>(
  readings: ReadonlyMap<string, PerReview>,
  reviews: readonly Pick<
    ReviewRecord | Review,
    'id' | 'title' | 'text' | 'criticism_at' | 'language'
  >[],
  annotations: readonly T[],
  vocabulary: Pick<Vocabulary, 'technicians' | 'trade' | 'aspects'>,
): Annotated<T> {
  const namesIn = keptWith(
    (language: Language) => new TechnicianNames(vocabulary, language, smallWords(reviews)),
  );
  const byId = new Map(reviews.map((review) => [review.id, review]));
  const result = new Map(readings);
  const stale: T[] = [];
  const refused: Annotated<T>['refused'] = [];
  const used: T[] = [];
  for (const annotation of annotations) {
    const review = byId.get(annotation.review_id);
    const reading = readings.get(annotation.review_id);
    if (!review || !reading) continue; // known, but not published
    if (annotation.content_hash !== reading.content_hash) {
      stale.push(annotation);
      continue;
    }
    used.push(annotation);
    const language = knownLanguage(review.language) ?? UNREAD;
    annotation.aspects?.forEach(({ quote, sentiment }, index) => {
      if (quote === null) return;
      const field = `aspects.${index}.quote`;
      if (!quotablePieces(review).some((words) => words.includes(quote))) {
        const reason = 'is not a verbatim piece of the review';
        refused.push({ annotation, field, quote, reason });
      } else if (sentiment === 'negative' && namesIn(language).mayName(tokenize(quote, language))) {
        const reason = 'may name a person, which a negative quote must not';
        refused.push({ annotation, field, quote, reason });
      }
    });
    result.set(review.id, overlay(reading, annotation));
  }
  return { readings: result, used, stale, refused };
}

function overlay(labels: PerReview, annotation: Annotation): PerReview {
  const merged: PerReview = { ...labels, source: annotation.source };
  if (annotation.sentiment) merged.sentiment = annotation.sentiment;
  for (const list of ID_LISTS) {
    const given = annotation[list];
    if (!given) continue;
    const kept = annotation.mode === 'add' ? labels[list] : [];
    merged[list] = [...new Set([...kept, ...given])].sort();
  }
  if (annotation.aspects) {
    const given = annotation.aspects.map(({ id, sentiment, score, quote }) => ({
      id,
      sentiment,
      score: score ?? SCORE[sentiment],
      quote,
      alone: sentiment !== 'neutral',
    }));
    const replaced = new Set(given.map(({ id }) => id));
    const kept =
      annotation.mode === 'add' ? labels.aspects.filter(({ id }) => !replaced.has(id)) : [];
    merged.aspects = [...kept, ...given].sort((a, b) => (a.id < b.id ? -1 : 1));
  }
  const sideOf = ({ aspects }: PerReview, aspect: string) =>
    aspects.find(({ id }) => id === aspect)?.sentiment;
  merged.phrases = labels.phrases.filter(
    ({ aspect }) => sideOf(merged, aspect) === sideOf(labels, aspect),
  );
  merged.passages = labels.passages.filter(({ kind, id }) => merged[kind].includes(id));
  merged.technician_opinions = labels.technician_opinions.filter(({ id }) =>
    merged.technicians.includes(id),
  );
  return merged;
}
