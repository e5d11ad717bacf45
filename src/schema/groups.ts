/** Everything that reviews can be counted by. */
export const GROUPS = [
  'year',
  'quarter',
  'month',
  'season',
  'weekday',
  'rating',
  'aspect',
  'sentiment',
  'technician',
  'service',
  'problem',
  'area',
  'topic',
  'source',
  'language',
  'replied',
] as const;
export type GroupName = (typeof GROUPS)[number];
