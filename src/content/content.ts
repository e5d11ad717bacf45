import type { PlacedAnnotation } from './read-annotations.ts';
import type { BusinessRecord } from '../schema/business.ts';
import type { FaqEntry } from '../schema/faq.ts';
import type { ReviewRecord } from '../schema/review.ts';
import type { Vocabulary } from '../schema/vocabulary.ts';

/** Everything an operator wrote, read and checked. */
export interface Content {
  business: BusinessRecord;
  /** In the order of the files; verified or not. */
  reviews: ReviewRecord[];
  vocabulary: Vocabulary;
  annotations: PlacedAnnotation[];
  faq: FaqEntry[];
  /** Markdown, or null when there is no summary.md. */
  summary: string | null;
}
