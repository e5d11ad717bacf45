import type { PlacedAnnotation } from './read-annotations.ts';
import type { BusinessRecord } from '../schema/business.ts';
import type { FaqEntry } from '../schema/faq.ts';
import type { ImportRecord, Tombstone } from '../schema/provenance.ts';
import type { ReviewRecord } from '../schema/review.ts';
import type { Vocabulary } from '../schema/vocabulary.ts';

/** `summary.md` without the blank around it, with the place that messages name. */
export interface PlacedSummary {
  file: string;
  /** Of the first line of the text. */
  line: number;
  text: string;
}

/** Everything an operator wrote, read and checked. */
export interface Content {
  business: BusinessRecord;
  /** In the order of the files; verified or not. */
  reviews: ReviewRecord[];
  /** Reviews that their platform no longer has. */
  withdrawn: Tombstone[];
  /** Oldest first. */
  imports: ImportRecord[];
  vocabulary: Vocabulary;
  annotations: PlacedAnnotation[];
  faq: FaqEntry[];
  /** Null when there is no summary.md, or nothing in it. */
  summary: PlacedSummary | null;
}
