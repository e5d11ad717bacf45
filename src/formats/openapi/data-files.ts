import {
  ATOM_TYPE,
  atomArchivePath,
  CHANGES_PATH,
  CSV_PATH,
  HISTORY_PATH,
  INSIGHTS_DIGEST_PATH,
  INSIGHTS_INPUTS_PATH,
  JOURNAL_PATH,
  jsonArchivePath,
  monthChangesPath,
  NDJSON_PATH,
  NDJSON_TYPE,
  REVIEW_LABELS_PATH,
  reviewDocumentPath,
  reviewEmbedPath,
  SUMMARY_PATH,
  SQLITE_PATH,
  SQLITE_TYPE,
} from '../../paths.ts';
import { CSV_COLUMNS } from '../../dataset/csv.ts';
import { json } from './answers.ts';
import { DAY, publishedFiles } from './published-files.ts';
import type { Operation, PathParameter } from './operation.ts';

const REVIEW_ID: PathParameter = {
  description: 'The ULID of the review.',
  schema: { type: 'string' },
  example: '01KZVWGK9MYE9P5H3XHFG6ZR7D',
};

const WITHDRAWN = json('Gone', 'The review was withdrawn; withdrawn has what is left of it.');

/** The reviews, their changes and the insights in other forms and parts. */
export const DATA_FILES: readonly Operation[] = publishedFiles([
  {
    id: 'getReviewsNdjson',
    path: NDJSON_PATH,
    tag: 'Reviews',
    summary: 'The reviews, one a line',
    description:
      'Newline-delimited JSON: the same records as in reviews.json, in the same order, to read one at a time. npm run import takes it.',
    answer: { description: 'A Review on each line.', content: { [NDJSON_TYPE]: null } },
  },
  {
    id: 'getReviewsCsv',
    path: CSV_PATH,
    tag: 'Reviews',
    summary: 'The reviews for spreadsheets',
    description: `One review a row (RFC 4180, UTF-8 with a byte order mark): ${Object.keys(CSV_COLUMNS).join(', ')}. An apostrophe precedes a text that a spreadsheet could run as a formula.`,
    answer: { description: 'The table, its header first.', content: { 'text/csv': null } },
  },
  {
    id: 'getReviewsSqlite',
    path: SQLITE_PATH,
    tag: 'Reviews',
    summary: 'The reviews as a database',
    description:
      'SQLite 3, for Datasette, DuckDB and any language: the tables reviews, mentions, aspects, names and about, and the views aspect_counts and mention_counts.',
    answer: { description: 'The database.', content: { [SQLITE_TYPE]: null } },
  },
  {
    id: 'getSummary',
    path: SUMMARY_PATH,
    tag: 'Reviews',
    summary: 'The rating in brief',
    description:
      'Rating, distribution, coverage and the last twelve months in 2 KB, for badges and dashboards.',
    answer: json('Summary', 'The summary.'),
  },
  {
    id: 'getHistory',
    path: HISTORY_PATH,
    tag: 'Reviews',
    summary: 'The rating over time',
    description: 'Number and mean of the stars by month, and by source within each month.',
    answer: json('History', 'The history.'),
  },
  {
    id: 'getReview',
    path: reviewDocumentPath('{id}'),
    tag: 'Reviews',
    summary: 'One review',
    description:
      'The review as published, what it was read as, and its changes with their hashes. Its page is at /reviews/{id}/, the permalink in the field url.',
    answer: json('ReviewDocument', 'The document.'),
    pathParameters: { id: REVIEW_ID },
    gone: WITHDRAWN,
  },
  {
    id: 'getReviewEmbed',
    path: reviewEmbedPath('{id}'),
    tag: 'Reviews',
    summary: 'One review, for sites that embed it',
    description: 'oEmbed 1.0, type link. The page of each review names it (discovery).',
    answer: json('ReviewEmbed', 'The document.'),
    pathParameters: { id: REVIEW_ID },
    gone: WITHDRAWN,
  },
  {
    id: 'getJsonFeedArchive',
    path: jsonArchivePath('{from}'),
    tag: 'Feeds',
    summary: 'An archive of the JSON Feed',
    description:
      'Older reviews; next_url of the feed and of each archive leads to the archive before. New reviews change no archive.',
    pathParameters: { from: DAY },
    answer: json('JsonFeedArchive', 'The archive.'),
  },
  {
    id: 'getAtomArchive',
    path: atomArchivePath('{from}'),
    tag: 'Feeds',
    summary: 'An archive of the Atom feed',
    description:
      'Older reviews (RFC 5005, section 4); prev-archive of the feed and of each archive leads to the archive before. New reviews change no archive.',
    pathParameters: { from: DAY },
    answer: {
      description: 'The archive.',
      content: { [ATOM_TYPE]: null, 'application/xml': null },
    },
  },
  {
    id: 'getChanges',
    path: CHANGES_PATH,
    tag: 'Changes',
    summary: 'The newest changes of the reviews',
    description:
      'Reviews that were added, edited, answered or withdrawn, newest first, each with the hash of the change before it. A topic.',
    answer: { ...json('Changes', 'The changes.'), headers: ['Link'] },
  },
  {
    id: 'getMonthChanges',
    path: monthChangesPath('{page}'),
    tag: 'Changes',
    summary: 'The changes of a month',
    description: 'Older changes, at most 500; next leads to the ones before.',
    pathParameters: {
      page: {
        description:
          'The month in which they were recorded, YYYY-MM, or YYYY-MM-N as next names the older pages of a month.',
        schema: { type: 'string' },
        example: '2026-01',
      },
    },
    answer: json('MonthChanges', 'The changes.'),
  },
  {
    id: 'getJournal',
    path: JOURNAL_PATH,
    tag: 'Changes',
    summary: 'The journal in brief',
    description: 'How many changes there are, of which kind, and the hash of the newest one.',
    answer: json('Journal', 'The journal.'),
  },
  {
    id: 'getInsightsDigest',
    path: INSIGHTS_DIGEST_PATH,
    tag: 'Insights',
    summary: 'Insights in brief',
    description: 'The insights without their lists of ids; every quote has its permalink.',
    answer: json('InsightsDigest', 'The digest.'),
  },
  {
    id: 'getInsightsInputs',
    path: INSIGHTS_INPUTS_PATH,
    tag: 'Insights',
    summary: 'Inputs of the insights',
    description:
      'Vocabulary, weights, annotations and questions: with the reviews, all that the insights are derived from.',
    answer: json('InsightsInputs', 'The inputs.'),
  },
  {
    id: 'getReviewLabels',
    path: REVIEW_LABELS_PATH,
    tag: 'Insights',
    summary: 'Labels of each review',
    description:
      'Sentiment, aspects, areas, problems and topics of each review, one a line, in the order of reviews.json.',
    answer: json('ReviewLabels', 'The labels.'),
  },
]);
