// Apart from the schemas, so that bundles for browsers need no zod.

/** The sides of an opinion. */
export const SENTIMENTS = ['positive', 'neutral', 'negative'] as const;

/** Facts and labels of a review, as a set of reviews for each value. */
export const LABELS = [
  'rating',
  'aspect',
  'sentiment',
  'technician',
  'service',
  'problem',
  'area',
  'topic',
  'attribute',
  'source',
  'language',
  'replied',
] as const;

/** The ways to group reviews. */
export const GROUPS = ['year', 'quarter', 'month', 'season', 'weekday', ...LABELS] as const;
export type GroupName = (typeof GROUPS)[number];

/** Parts of a review that a query searches. */
export const PLACES = ['text', 'title', 'author'] as const;
export type QueryPlace = (typeof PLACES)[number];
