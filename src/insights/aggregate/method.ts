import { createHash } from 'node:crypto';
import type { InsightsDataset } from '../../schema/insights.ts';
import type { Vocabulary } from '../../schema/vocabulary.ts';
import { GENERAL_LEXICON } from '../analyze/opinions.ts';
import { ENGINE, ENGINE_LANGUAGE } from '../analyze/review-reader.ts';

/** Changes when the engine would label the same reviews differently. */
export const ENGINE_VERSION = '1.1.0';

/**
 * States everything that labels depend on besides the reviews.
 *
 * @param annotated number of reviews with a label that is not from the engine
 */
export function describeMethod(
  vocabulary: Vocabulary,
  annotated: number,
): InsightsDataset['method'] {
  const lists = Object.entries(vocabulary).filter(([name]) => name !== 'lexicon');
  return {
    engine: ENGINE,
    engine_version: ENGINE_VERSION,
    taxonomy_version: hash(vocabulary.aspects).slice(0, 16),
    lexicon_sha256: hash(vocabulary.lexicon),
    general_lexicon_sha256: hash(GENERAL_LEXICON),
    vocabulary_sha256: Object.fromEntries(lists.map(([name, list]) => [name, hash(list)])),
    annotated_reviews: annotated,
    languages: [ENGINE_LANGUAGE],
  };
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
