import { z } from 'zod';
import { manifest } from '../edition/manifest.ts';
import { schemaPath } from '../paths.ts';
import { businessRecord } from '../schema/business.ts';
import { countFilters, countResult } from '../schema/count.ts';
import { reviewsDataset, sinceResult } from '../schema/dataset.ts';
import { editionSignature } from '../schema/edition-signature.ts';
import { errorBody } from '../schema/error.ts';
import { faqFrontMatter } from '../schema/faq.ts';
import { insightsDataset } from '../schema/insights.ts';
import { insightsDigest } from '../schema/insights-digest.ts';
import { insightsInputs } from '../schema/insights-inputs.ts';
import { changesDocument, journalDocument, journalEntry, monthChanges } from '../schema/journal.ts';
import { jsonFeedArchiveDocument, jsonFeedDocument } from '../schema/json-feed.ts';
import { reviewLabels } from '../schema/labels.ts';
import { provenance } from '../schema/provenance.ts';
import { goneBody, reviewDocument, reviewEmbed } from '../schema/review-document.ts';
import { reviewRecord } from '../schema/review.ts';
import { searchFilters, searchResult } from '../schema/search.ts';
import { historyDocument, summaryDocument } from '../schema/summary.ts';
import { trade } from '../schema/trade.ts';
import { lexicon, vocabularyFiles } from '../schema/vocabulary.ts';

/** Files of content/, which editors complete and check with these schemas. */
const WRITTEN: Record<string, z.ZodType> = {
  business: businessRecord,
  'faq-front-matter': faqFrontMatter,
  'journal-entry': journalEntry,
  lexicon,
  'review-record': reviewRecord,
  trade,
  ...vocabularyFiles,
};

/** Published documents, so that clients can check what they read. */
const PUBLISHED: Record<string, z.ZodType> = {
  changes: changesDocument,
  'count-filters': countFilters,
  'count-result': countResult,
  edition: manifest,
  'edition-signature': editionSignature,
  error: errorBody,
  gone: goneBody,
  history: historyDocument,
  'insights-dataset': insightsDataset,
  'insights-digest': insightsDigest,
  'insights-inputs': insightsInputs,
  journal: journalDocument,
  'json-feed': jsonFeedDocument,
  'json-feed-archive': jsonFeedArchiveDocument,
  'month-changes': monthChanges,
  provenance,
  'review-document': reviewDocument,
  'review-embed': reviewEmbed,
  'review-labels': reviewLabels,
  'reviews-dataset': reviewsDataset,
  'search-filters': searchFilters,
  'search-result': searchResult,
  'since-result': sinceResult,
  summary: summaryDocument,
};

/** Returns the JSON Schema (2020-12) of every document, by name, derived from its zod schema. */
export function jsonSchemas(baseUrl: string): Record<string, object> {
  const toSchemas = (schemas: Record<string, z.ZodType>, io: 'input' | 'output') =>
    Object.entries(schemas).map(([name, schema]) => {
      const { $schema, ...rest } = z.toJSONSchema(schema, { io });
      return [name, { $schema, $id: baseUrl + schemaPath(name), ...rest }];
    });
  return Object.fromEntries([...toSchemas(WRITTEN, 'input'), ...toSchemas(PUBLISHED, 'output')]);
}
