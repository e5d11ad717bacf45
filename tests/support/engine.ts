import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withheldFew } from '../../src/insights/aggregate/coverage.ts';
import { countInsights } from '../../src/insights/aggregate/insights.ts';
import { readReviews } from '../../src/insights/analyze/review-reader.ts';
import { OVERALL, readPack } from '../../src/content/read-pack.ts';
import { publishReview, selectPublished } from '../../src/dataset/publish.ts';
import { computeRating } from '../../src/dataset/aggregate.ts';
import type { FaqEntry } from '../../src/schema/faq.ts';
import type { InsightsDataset, PerReview } from '../../src/schema/insights.ts';
import type { PackName } from '../../src/schema/trade.ts';
import { ROOT } from './fixtures.ts';
import { record, ulidOf } from './reviews.ts';
import * as schema from '../../src/schema/vocabulary.ts';
import type { Vocabulary } from '../../src/schema/vocabulary.ts';
import homeServices from '../../src/content/packs/home-services.json' with { type: 'json' };

/** The table of the polarity model. */
export const WEIGHTS = readFileSync(join(ROOT, 'src/insights/polarity-weights.tsv'), 'utf8');

/** The words of a plumber's trade. */
export const TRADE = schema.tradeNouns.parse(homeServices.trade);

type Loose = Record<string, unknown>[];

/** A vocabulary with what a test needs in it; what may be left out is filled in. */
export function vocabulary(parts: {
  aspects?: Loose;
  technicians?: Loose;
  services?: Loose;
  service_areas?: Loose;
  problems?: Loose;
  topics?: Loose;
  phrases?: Record<string, number>;
}): Vocabulary {
  const { phrases = {}, ...lists } = parts;
  return schema.vocabulary.parse({
    ...Object.fromEntries(schema.LIST_NAMES.map((name) => [name, []])),
    ...lists,
    lexicon: { version: '1', words: {}, phrases },
    trade: TRADE,
  });
}

/** Returns the words of a trade pack, with the aspect that every vocabulary has. */
export async function wordsOf(name: PackName): Promise<Vocabulary> {
  const { aspects, topics, problems, lexicon, trade } = await readPack(name);
  const lists = vocabulary({ aspects: [...aspects, OVERALL], topics, problems });
  return { ...lists, lexicon, trade };
}

/** An entry of the FAQ without an answer, which rests on this evidence. */
export function faqEntry(
  id: string,
  evidence: Partial<FaqEntry['evidence']>,
  claims: FaqEntry['claims'] = [],
): FaqEntry {
  const none = { aspects: [], topics: [], services: [], problems: [] };
  return { id, question: '?', answer: null, evidence: { ...none, ...evidence }, claims };
}

/** Returns the readings of texts, English ones of five stars unless they say otherwise. */
export function readingsOf(
  words: Vocabulary,
  texts: readonly {
    text: string;
    language?: string | undefined;
    rating?: number;
    criticism_at?: number;
  }[],
): PerReview[] {
  const reviews = texts.map((fields, at) => record({ id: ulidOf(at), ...fields }));
  return [...readReviews(reviews, { vocabulary: words, weights: WEIGHTS }).values()];
}

/**
 * Returns the insights of reviews given as stars, words (none if empty) and language, the newest first.
 *
 * @param isWithheld if true, languages that too few reviews speak are silent, as in a build
 */
export function insightsOf(
  words: Vocabulary,
  reviews: readonly [rating: number, text: string, language?: string][],
  faq: readonly FaqEntry[] = [],
  isWithheld = false,
): InsightsDataset {
  const records = reviews.map(([rating, text, language = 'en'], index) => {
    const date = new Date(Date.UTC(2026, 0, 1000 - index)).toISOString().slice(0, 10);
    return record({ id: ulidOf(1000 - index), rating, date, text: text || undefined, language });
  });
  const read = readReviews(records, { vocabulary: words, weights: WEIGHTS });
  const readings = isWithheld ? withheldFew(read, records) : read;
  const selected = selectPublished(records);
  const published = selected.published.map((record) => {
    const { technicians, services } = readings.get(record.id)!;
    return publishReview(record, { technicians, services }, 'http://localhost');
  });
  const dataset = {
    schema_version: '1',
    edition: '0',
    updated_at: '2026-01-01T00:00:00Z',
    aggregate_rating: computeRating(published),
    coverage: selected.coverage,
    reviews: published,
  };
  return countInsights(dataset, readings, {
    vocabulary: words,
    weights: WEIGHTS,
    annotations: [],
    faq: [...faq],
    summary: null,
  });
}
