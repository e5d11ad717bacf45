import type { ReviewLines } from '../dataset/document.ts';
import type { ReviewsDataset } from '../schema/dataset.ts';
import type { InsightsDataset } from '../schema/insights.ts';
import type { InsightsInputs } from '../schema/insights-inputs.ts';
import type { JournalEntry, JournalHead } from '../schema/journal.ts';
import type { Provenance } from '../schema/provenance.ts';
import type { Manifest } from '../edition/manifest.ts';

export interface PublishedJournal {
  /** Newest first. */
  changes: readonly JournalEntry[];
  head: JournalHead;
  /** True if the changes lead to the published reviews. */
  complete: boolean;
}

/** The data of one edition, from which its documents are built. */
export interface Source {
  /** Origin of the site, without a slash at the end. */
  baseUrl: string;
  /** False if the site is files alone. */
  sidecar: boolean;
  /** The hub that pushes the topics; null if there is none. */
  hub: string | null;
  dataset: ReviewsDataset;
  insights: InsightsDataset;
  /** Inputs of the insights besides the dataset. */
  insightsInputs: InsightsInputs;
  provenance: Provenance;
  journal: PublishedJournal;
  names: Manifest['names'];
  /** Language of pages and feeds, BCP 47; English without one. */
  language?: string | undefined;
  /** reviews.json as it is published, and where each review lies in it. */
  lines: ReviewLines;
  labels: Buffer;
}
