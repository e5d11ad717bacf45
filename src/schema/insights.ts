import { z } from 'zod';
import { datasetId } from './dataset.ts';
import { faqClaim, faqFrontMatter } from './faq.ts';
import { calendarDate, calendarMonth, count, instant, percentage, ulid } from './primitives.ts';
import { SENTIMENTS } from './groups.ts';

const id = z.string();
const label = z.string();
const ids = z.array(z.string());
const reviewIds = z.array(ulid);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const score = z.number().min(-1).max(1);
const netShare = score.nullable().describe('Net share: (positive - negative) / all.');
/** Reviews in languages whose words are good enough for quotes, but not for shares. */
const quoted = count.optional(); // Editions of an earlier version lack this field.
const average = z.number().min(1).max(5).nullable();
const share = percentage.nullable();

export const sentiment = z.enum(SENTIMENTS);
export type Sentiment = z.infer<typeof sentiment>;

const among = count
  .optional() // Editions of an earlier version lack this field.
  .describe('Reviews that were read in a language in which it has words.');

/** Numbers of reviews that mention something, by sentiment; they always add up. */
const counts = {
  mention_count: count.describe('Reviews that mention it.'),
  positive_count: count,
  neutral_count: count,
  negative_count: count,
};

export const aspect = z.strictObject({
  id,
  label,
  among_count: among,
  ...counts,
  quoted_count: quoted.describe('Other reviews that mention it, in languages without shares.'),
  positive_pct: share,
  score: netShare,
  top_phrases: z.array(z.string()).describe('Verbatim, most frequent first.'),
  negative_phrases: z.array(z.string()),
  example_review_ids: reviewIds,
  examples: z.array(z.strictObject({ review_id: ulid, quote: z.string(), sentiment })),
});

export const entity = z.strictObject({
  id,
  label,
  ...counts,
  score: netShare,
  average_rating: average,
  first_mentioned: calendarDate.nullable(),
  last_mentioned: calendarDate.nullable(),
  review_ids: reviewIds.describe('Every review that mentions it, newest first.'),
});
export type Entity = z.infer<typeof entity>;

export const technicianEntity = entity.extend({
  neutral_count: count.describe('Without a clear opinion.'),
  opinion_count: count.describe('Reviews with an opinion of the person.'),
  score: score.nullable().describe('Null below five opinions.'),
  aspects: z
    .array(
      z.strictObject({
        id,
        mention_count: count,
        positive_count: count,
        negative_count: count,
        score: score.nullable(),
      }),
    )
    .describe('Most frequent first.'),
  quotes: z.array(z.strictObject({ review_id: ulid, quote: z.string(), sentiment })),
});

export const insightsTopic = z.strictObject({
  id,
  label,
  among_count: among,
  review_count: count,
  share_pct: percentage.describe('Of `among_count`.'),
  average_rating: average,
  aspect_ids: ids,
  top_phrases: z.array(z.string()).describe('Of both sides, most frequent first.'),
  positive_phrases: z.array(z.string()),
  negative_phrases: z.array(z.string()),
  example_review_ids: reviewIds,
});

export const month = z.strictObject({
  month: calendarMonth,
  review_count: count,
  average_rating: average,
  positive_pct: share,
});
export type Month = z.infer<typeof month>;

const trendWindow = z.strictObject({ n: count, positive_pct: share });

export const temporal = z.strictObject({
  monthly: z.array(month).describe('Oldest first, without gaps.'),
  trend: z
    .enum(['improving', 'stable', 'declining', 'insufficient_data'])
    .describe('stable: no clear change.'),
  z: z.number().nullable().describe('Of a rank test of the stars.'),
  trend_window_days: count,
  until: calendarDate.nullable(),
  recent: trendWindow,
  previous: trendWindow,
});
export type Temporal = z.infer<typeof temporal>;

const aspectLabel = z.strictObject({
  id,
  sentiment,
  score,
  quote: z.string().nullable(),
  alone: z.boolean().describe('True if the quote says its side without its review.'),
});

/** Labels the reviews that count by their stars, because too few of their language were read. */
export const STARS = 'stars';

/** The labels of one review; every count of the document can be recounted from these. */
export const perReview = z.strictObject({
  content_hash: z.string().describe('sha-256 of the title and text, first 16 hex digits.'),
  source: z
    .string()
    .describe(
      'Who labeled it: local-rules, the annotator, or stars where too few reviews of its language were read.',
    ),
  sentiment,
  score: score.nullable(),
  aspects: z.array(aspectLabel),
  quoted: z
    .array(aspectLabel)
    .optional()
    .describe(
      'Instead of `aspects`, in a language without shares: what may be quoted, with a side where ' +
        'words and stars agree. It is in no other count.',
    ),
  technicians: ids,
  services: ids,
  service_areas: ids,
  problems: ids,
  topics: ids,
  phrases: z
    .array(z.strictObject({ aspect: id, text: z.string(), opinion: z.string(), topics: ids }))
    .describe(
      'Verbatim pieces that join an aspect with an opinion, on the side of its label: the words of ' +
        'the opinion in lower case, and the topics that its words name.',
    ),
  passages: z
    .array(
      z.strictObject({
        kind: z.enum(['topics', 'problems', 'services']),
        id,
        text: z.string().nullable().describe('Null for criticism that may name a person.'),
        sentiment,
      }),
    )
    .describe('Sentences that may answer a question of the FAQ, with the side of the sentence.'),
  technician_opinions: z
    .array(
      z.strictObject({
        id,
        sentiment,
        score,
        quote: z.string().nullable().describe('Null for criticism that names a technician.'),
        aspects: z.array(z.strictObject({ id, sentiment })),
      }),
    )
    .describe('Opinions of technicians, from the clauses about them alone.'),
});
export type PerReview = z.infer<typeof perReview>;

export const faqAnswer = z.strictObject({
  id,
  question: z.string(),
  answer: z.string().describe('Markdown.'),
  counted: z.boolean().describe('True if the answer is made of counts, false if it was written.'),
  evidence_count: count,
  favorable_count: count.describe('Of these, those whose sentences on it are favorable.'),
  critical_count: count,
  evidence_review_ids: reviewIds,
  evidence: faqFrontMatter.shape.evidence,
  claims: z
    .array(faqClaim.extend({ share: share.describe('As counted.'), holds: z.boolean() }))
    .describe('What the answer says of counts, and if they agree.'),
  quotes: z.array(z.strictObject({ review_id: ulid, text: z.string(), sentiment })),
});

/**
 * Numbers of reviews that were read, and that count by their stars only: in a language that is not
 * read, or in one with fewer than 20 reviews or where less than a third of all texts would be read.
 */
const readingCoverage = z.strictObject({
  read_count: count,
  stars_only_count: count,
  without_words_count: count.describe('Of these, those without title and text.'),
  languages: z
    .array(
      z.strictObject({
        language: z.string().describe('Its primary subtag, e.g. en.'),
        review_count: count.describe('Reviews with words.'),
        read_count: count,
        quoted_count: quoted.describe('Others that are quoted, but counted in no share.'),
      }),
    )
    .describe('Most reviews first.'),
});
export type ReadingCoverage = z.infer<typeof readingCoverage>;

export const insightsDataset = z
  .strictObject({
    version: z.string(),
    schema_version: z.string(),
    edition: datasetId,
    generated_at: instant.describe('The newest change of the data, not the time of the build.'),
    model: z.string().describe('What labeled the reviews, e.g. local-rules/1.0.0.'),
    method: z.strictObject({
      engine: z.string(),
      engine_version: z.string(),
      taxonomy_version: z
        .string()
        .describe('Changes if the aspects of the vocabulary change: the start of their hash.'),
      lexicon_sha256: sha256,
      general_lexicon_sha256: sha256.describe('Hash of the lexicon for reviews of any trade.'),
      polarity_weights_sha256: sha256.describe('Hash of the table of the polarity model.'),
      vocabulary_sha256: z
        .record(z.string(), sha256)
        .describe('Hash of each list of the vocabulary by name, as JSON.'),
      annotated_reviews: count,
      inputs_sha256: sha256.describe(
        'Hash of /insights-inputs.json without its last line break: all of the above, to read the ' +
          'reviews again.',
      ),
      languages: ids,
    }),
    review_count: count,
    date_range: z.strictObject({
      earliest: calendarDate.nullable(),
      latest: calendarDate.nullable(),
    }),
    coverage: readingCoverage,
    overall_sentiment: z.strictObject({
      score: score.describe('Net share: (positive - negative) / all reviews.'),
      positive_pct: percentage,
      neutral_pct: percentage,
      negative_pct: percentage,
      basis: z.string(),
    }),
    aspects: z.array(aspect),
    entities: z.strictObject({
      technicians: z.array(technicianEntity),
      services: z.array(entity),
      problems: z.array(entity),
      service_areas: z.array(entity),
    }),
    topics: z.array(insightsTopic),
    temporal,
    per_review: z.record(ulid, perReview),
    faq: z.array(faqAnswer),
    summary: z.string().nullable().describe('Editorial summary, Markdown.'),
    summary_template: z
      .string()
      .nullable()
      .describe('The summary as written, with placeholders for counted values.'),
    pull_quote: z.strictObject({ text: z.string(), review_id: ulid }).nullable(),
  })
  .meta({ title: 'Insights dataset' });
export type InsightsDataset = z.infer<typeof insightsDataset>;
