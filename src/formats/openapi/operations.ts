import {
  AI_CATALOG_PATH,
  AI_CATALOG_TYPE,
  ATOM_PATH,
  ATOM_TYPE,
  atomArchivePath,
  CHANGES_PATH,
  COUNT_PATH,
  CSV_PATH,
  EDITION_KEY_PATH,
  EDITION_PATH,
  EDITION_SIGNATURE_PATH,
  HEALTH_PATH,
  HISTORY_PATH,
  INSIGHTS_DIGEST_PATH,
  INSIGHTS_INPUTS_PATH,
  INSIGHTS_PATH,
  JSON_FEED_PATH,
  JOURNAL_PATH,
  JSON_TYPE,
  jsonArchivePath,
  LLMS_PATH,
  MCP_APP_PATH,
  MCP_PATH,
  monthChangesPath,
  NDJSON_PATH,
  NDJSON_TYPE,
  OPENAPI_PATH,
  PROVENANCE_PATH,
  READINESS_PATH,
  REVIEW_LABELS_PATH,
  reviewDocumentPath,
  reviewEmbedPath,
  REVIEWS_PATH,
  ROBOTS_PATH,
  schemaPath,
  SEARCH_PATH,
  SECURITY_PATH,
  SERVER_CARD_PATH,
  SERVER_CARD_TYPE,
  SERVER_PATH,
  SINCE_PATH,
  SITEMAP_PATH,
  SUMMARY_PATH,
  SQLITE_PATH,
  SQLITE_TYPE,
} from '../../paths.ts';
import { CSV_COLUMNS } from '../../dataset/csv.ts';
import {
  computed,
  empty,
  file,
  FILE_HEADERS,
  HTML_TYPE,
  INVALID,
  json,
  JSON_ERRORS,
  PAGE_ERRORS,
  PLAIN_TYPE,
  probe,
  text,
} from './answers.ts';
import { HUB_OPERATION } from './hub.ts';
import type { Operation, PathParameter } from './operation.ts';

const DAY: PathParameter = {
  description: 'The first day, YYYY-MM-DD.',
  schema: { type: 'string', format: 'date' },
  example: '2026-01-01',
};

/** A file of the edition that programs read. */
const dataFile = (
  operation: Omit<Operation, 'method' | 'headers' | 'answers'>,
  answer: Operation['answers'][number],
): Operation => ({
  ...operation,
  method: 'get',
  headers: FILE_HEADERS,
  answers: file(answer, operation.path.endsWith('.json') ? JSON_ERRORS : PAGE_ERRORS),
});

const notFound = (operation: Operation): Operation => ({
  ...operation,
  answers: {
    ...operation.answers,
    404: operation.path.endsWith('.json') ? JSON_ERRORS[404] : PAGE_ERRORS[404],
  },
});

const REVIEW_ID: PathParameter = {
  description: 'The ULID of the review.',
  schema: { type: 'string' },
  example: '01KZVWGK9MYE9P5H3XHFG6ZR7D',
};

/** A resource of one review: a file if the review is new. */
const ofReview = (operation: Operation): Operation => ({
  ...notFound(operation),
  pathParameters: { id: REVIEW_ID },
  answers: {
    ...notFound(operation).answers,
    410: json('Gone', 'The review was withdrawn; withdrawn has what is left of it.'),
  },
});

/** Every endpoint for programs, in the order of the contract, section 4. */
export const OPERATIONS: readonly Operation[] = [
  dataFile(
    {
      id: 'getReviews',
      path: REVIEWS_PATH,
      tag: 'Reviews',
      summary: 'All verified reviews',
      description:
        'Business, aggregate rating, coverage and every published review, newest first. One of the three topics of the hub.',
    },
    { ...json('ReviewsDataset', 'The dataset.'), headers: ['Link'] },
  ),
  dataFile(
    {
      id: 'getInsights',
      path: INSIGHTS_PATH,
      tag: 'Insights',
      summary: 'Insights from the reviews',
      description:
        'Aspects with their sentiment, technicians, services, areas and problems, topics, the trend by month, questions with evidence, an editorial summary. per_review lets you recount all of it.',
    },
    json('InsightsDataset', 'The dataset.'),
  ),
  dataFile(
    {
      id: 'getProvenance',
      path: PROVENANCE_PATH,
      tag: 'Reviews',
      summary: 'Where the reviews come from',
      description:
        'By platform, what verified means there, how many reviews it shows and how many are published; the exports they came from with their SHA-256, what was left out, what was changed, and who read the reviews.',
    },
    json('Provenance', 'The document.'),
  ),
  dataFile(
    {
      id: 'getJsonFeed',
      path: JSON_FEED_PATH,
      tag: 'Feeds',
      summary: 'The newest reviews as a JSON Feed',
      description:
        'JSON Feed 1.1 of the 50 newest reviews, served as application/json. next_url leads to the older ones. A topic.',
    },
    { ...json('JsonFeed', 'The feed.'), headers: ['Link'] },
  ),
  dataFile(
    {
      id: 'getAtomFeed',
      path: ATOM_PATH,
      tag: 'Feeds',
      summary: 'The newest reviews as an Atom feed',
      description:
        'Atom 1.0 (RFC 4287) of the same 50 reviews; prev-archive (RFC 5005) leads to the older ones. A topic. A browser that opens it gets the same bytes as application/xml.',
    },
    {
      description: 'The feed.',
      content: { [ATOM_TYPE]: null, 'application/xml': null },
      headers: ['Link'],
    },
  ),
  {
    id: 'searchReviews',
    method: 'get',
    path: SEARCH_PATH,
    tag: 'Search',
    summary: 'Search the reviews',
    description:
      'The reviews that match every filter, newest first. An empty parameter counts as absent, a repeated one is invalid, and unknown ones are ignored and listed in ignored_params. A name that nothing has matches nothing and is listed in unresolved. Follow next for more.',
    query: 'SearchFilters',
    headers: ['If-None-Match', 'If-Match'],
    answers: computed({ ...json('SearchResult', 'The reviews that match.'), headers: ['Link'] }),
  },
  {
    id: 'countReviews',
    method: 'get',
    path: COUNT_PATH,
    tag: 'Search',
    summary: 'Count the reviews',
    description:
      'Counts the reviews that match every filter, by one or two groupings: number, average stars, shares of positive, negative and answered reviews, and quotes with links. Exact, because every review is counted.',
    query: 'CountFilters',
    headers: ['If-None-Match', 'If-Match'],
    answers: computed(json('CountResult', 'The groups that have reviews.')),
  },
  {
    id: 'getReviewsSince',
    method: 'get',
    path: `${SINCE_PATH}/{date}`,
    tag: 'Reviews',
    summary: 'The reviews since a day',
    description:
      'Every review on or after a day, newest first. Its ETag changes only when this listing does, so polling is cheap.',
    pathParameters: { date: DAY },
    headers: FILE_HEADERS,
    answers: {
      ...file(json('SinceResult', 'The listing; empty after the newest review.'), JSON_ERRORS),
      400: INVALID,
    },
  },
  {
    id: 'callMcp',
    method: 'post',
    path: MCP_PATH,
    tag: 'MCP',
    summary: 'Tools for assistants (MCP)',
    description:
      'The Model Context Protocol over streamable HTTP: JSON-RPC 2.0, read-only tools. Send Accept: application/json, text/event-stream. The response to initialize has Mcp-Session-Id; send it with every later request. /mcp/ works too.',
    headers: ['Mcp-Session-Id', 'Mcp-Protocol-Version'],
    body: { [JSON_TYPE]: 'JsonRpcRequest' },
    answers: {
      200: {
        ...json('JsonRpcResponse', 'The result, or a JSON-RPC error.'),
        headers: ['Mcp-Session-Id'],
      },
      202: empty('A notification was accepted; empty.'),
      400: json('JsonRpcResponse', 'The request is not JSON-RPC, or its headers are wrong.'),
      403: json('JsonRpcResponse', 'The Origin or Host of the request is not allowed.'),
      404: json('JsonRpcResponse', 'The session is unknown or has ended: initialize again.'),
      405: {
        description: 'Sent for any other method; there is no stream to GET. A page for browsers.',
        content: { [JSON_TYPE]: 'JsonRpcResponse', [HTML_TYPE]: null },
        headers: ['Allow'],
      },
      406: json('JsonRpcResponse', 'Accept lacks one of the two media types.'),
      413: json('JsonRpcResponse', 'The body is over 16 KiB.'),
      415: json('JsonRpcResponse', 'The body is not application/json.'),
      429: {
        ...json('JsonRpcResponse', 'Too many requests from this address; see Retry-After.'),
        headers: ['Retry-After'],
      },
      500: json('JsonRpcResponse', 'The service failed to answer this.'),
    },
  },
  HUB_OPERATION,
  {
    id: 'endMcpSession',
    method: 'delete',
    path: MCP_PATH,
    tag: 'MCP',
    summary: 'End a session (MCP)',
    description: 'Ends the session that Mcp-Session-Id names. A session also ends after a day.',
    headers: ['Mcp-Session-Id'],
    answers: {
      204: empty('The session has ended; empty.'),
      400: json('JsonRpcResponse', 'Mcp-Session-Id is missing.'),
      403: json('JsonRpcResponse', 'The Origin or Host of the request is not allowed.'),
      404: json('JsonRpcResponse', 'The session is unknown or has ended.'),
      429: {
        ...json('JsonRpcResponse', 'Too many requests from this address; see Retry-After.'),
        headers: ['Retry-After'],
      },
    },
  },
  dataFile(
    {
      id: 'getReviewsNdjson',
      path: NDJSON_PATH,
      tag: 'Reviews',
      summary: 'The reviews, one a line',
      description:
        'Newline-delimited JSON: the same records as in reviews.json, in the same order, to read one at a time. npm run import takes it.',
    },
    { description: 'A Review on each line.', content: { [NDJSON_TYPE]: null } },
  ),
  dataFile(
    {
      id: 'getReviewsCsv',
      path: CSV_PATH,
      tag: 'Reviews',
      summary: 'The reviews for spreadsheets',
      description: `One review a row (RFC 4180, UTF-8 with a byte order mark): ${Object.keys(CSV_COLUMNS).join(', ')}. An apostrophe precedes a text that a spreadsheet could run as a formula.`,
    },
    { description: 'The table, its header first.', content: { 'text/csv': null } },
  ),
  dataFile(
    {
      id: 'getReviewsSqlite',
      path: SQLITE_PATH,
      tag: 'Reviews',
      summary: 'The reviews as a database',
      description:
        'SQLite 3, for Datasette, DuckDB and any language: the tables reviews, mentions, aspects, names and about, and the views aspect_counts and mention_counts.',
    },
    { description: 'The database.', content: { [SQLITE_TYPE]: null } },
  ),
  dataFile(
    {
      id: 'getSummary',
      path: SUMMARY_PATH,
      tag: 'Reviews',
      summary: 'The rating in brief',
      description:
        'Rating, distribution, coverage and the last twelve months in 2 KB, for badges and dashboards.',
    },
    json('Summary', 'The summary.'),
  ),
  dataFile(
    {
      id: 'getHistory',
      path: HISTORY_PATH,
      tag: 'Reviews',
      summary: 'The rating over time',
      description: 'Number and mean of the stars by month, and by source within each month.',
    },
    json('History', 'The history.'),
  ),
  ofReview(
    dataFile(
      {
        id: 'getReview',
        path: reviewDocumentPath('{id}'),
        tag: 'Reviews',
        summary: 'One review',
        description:
          'The review as published, what it was read as, and its changes with their hashes. Its page is at /reviews/{id}/, the permalink in the field url.',
      },
      json('ReviewDocument', 'The document.'),
    ),
  ),
  ofReview(
    dataFile(
      {
        id: 'getReviewEmbed',
        path: reviewEmbedPath('{id}'),
        tag: 'Reviews',
        summary: 'One review, for sites that embed it',
        description: 'oEmbed 1.0, type link. The page of each review names it (discovery).',
      },
      json('ReviewEmbed', 'The document.'),
    ),
  ),
  notFound(
    dataFile(
      {
        id: 'getJsonFeedArchive',
        path: jsonArchivePath('{from}'),
        tag: 'Feeds',
        summary: 'An archive of the JSON Feed',
        description:
          'Older reviews; next_url of the feed and of each archive leads to the archive before. New reviews change no archive.',
        pathParameters: { from: DAY },
      },
      json('JsonFeedArchive', 'The archive.'),
    ),
  ),
  notFound(
    dataFile(
      {
        id: 'getAtomArchive',
        path: atomArchivePath('{from}'),
        tag: 'Feeds',
        summary: 'An archive of the Atom feed',
        description:
          'Older reviews (RFC 5005, section 4); prev-archive of the feed and of each archive leads to the archive before. New reviews change no archive.',
        pathParameters: { from: DAY },
      },
      { description: 'The archive.', content: { [ATOM_TYPE]: null, 'application/xml': null } },
    ),
  ),
  dataFile(
    {
      id: 'getChanges',
      path: CHANGES_PATH,
      tag: 'Changes',
      summary: 'The newest changes of the reviews',
      description:
        'Reviews that were added, edited, answered or withdrawn, newest first, each with the hash of the change before it. A topic.',
    },
    { ...json('Changes', 'The changes.'), headers: ['Link'] },
  ),
  notFound(
    dataFile(
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
      },
      json('MonthChanges', 'The changes.'),
    ),
  ),
  dataFile(
    {
      id: 'getJournal',
      path: JOURNAL_PATH,
      tag: 'Changes',
      summary: 'The journal in brief',
      description: 'How many changes there are, of which kind, and the hash of the newest one.',
    },
    json('Journal', 'The journal.'),
  ),
  dataFile(
    {
      id: 'getInsightsDigest',
      path: INSIGHTS_DIGEST_PATH,
      tag: 'Insights',
      summary: 'Insights in brief',
      description: 'The insights without their lists of ids; every quote has its permalink.',
    },
    json('InsightsDigest', 'The digest.'),
  ),
  dataFile(
    {
      id: 'getInsightsInputs',
      path: INSIGHTS_INPUTS_PATH,
      tag: 'Insights',
      summary: 'Inputs of the insights',
      description:
        'Vocabulary, weights, annotations and questions: with the reviews, all that the insights are derived from.',
    },
    json('InsightsInputs', 'The inputs.'),
  ),
  dataFile(
    {
      id: 'getReviewLabels',
      path: REVIEW_LABELS_PATH,
      tag: 'Insights',
      summary: 'Labels of each review',
      description:
        'Sentiment, aspects, areas, problems and topics of each review, one a line, in the order of reviews.json.',
    },
    json('ReviewLabels', 'The labels.'),
  ),
  dataFile(
    {
      id: 'getOpenApi',
      path: OPENAPI_PATH,
      tag: 'Service',
      summary: 'This document',
      description: 'OpenAPI 3.1.0 of every path of the service.',
    },
    json('JsonObject', 'The document.'),
  ),
  notFound(
    dataFile(
      {
        id: 'getSchema',
        path: schemaPath('{name}'),
        tag: 'Service',
        summary: 'The JSON Schema of a document',
        description: 'JSON Schema 2020-12 of published documents and of files of a dataset.',
        pathParameters: {
          name: {
            description: 'Name of the document, e.g. search-result.',
            schema: { type: 'string' },
            example: 'reviews-dataset',
          },
        },
      },
      json('JsonObject', 'The schema; its $id is its address.'),
    ),
  ),
  dataFile(
    {
      id: 'getEdition',
      path: EDITION_PATH,
      tag: 'Service',
      summary: 'Every file of the edition',
      description: 'Path, type, size, digest, headers and compressed forms of every file.',
    },
    json('EditionManifest', 'The manifest.'),
  ),
  notFound(
    dataFile(
      {
        id: 'getEditionSignature',
        path: EDITION_SIGNATURE_PATH,
        tag: 'Service',
        summary: 'The signature of the edition',
        description:
          'Ed25519 over the digest of edition.json, a number that grows, and a time after which it is void; only of a site that signs its editions.',
      },
      json('EditionSignature', 'The signature.'),
    ),
  ),
  notFound(
    dataFile(
      {
        id: 'getEditionKeys',
        path: EDITION_KEY_PATH,
        tag: 'Service',
        summary: 'The keys that sign editions',
        description: 'A JSON Web Key Set (RFC 7517); only of a site that signs its editions.',
      },
      json('JsonObject', 'The public keys.'),
    ),
  ),
  dataFile(
    {
      id: 'getMcpServer',
      path: SERVER_PATH,
      tag: 'MCP',
      summary: 'The MCP server, for registries',
      description: 'The format of the MCP registry, server.json of 2025-12-11.',
    },
    json('JsonObject', 'The entry.'),
  ),
  dataFile(
    {
      id: 'getMcpApp',
      path: MCP_APP_PATH,
      tag: 'MCP',
      summary: 'The card of the MCP server',
      description:
        'The resource that assistants show with get_summary: one HTML document that loads nothing (MCP Apps 2026-01-26).',
    },
    json('JsonObject', 'The resource, as resources/read returns it.'),
  ),
  dataFile(
    {
      id: 'getAiCatalog',
      path: AI_CATALOG_PATH,
      tag: 'MCP',
      summary: 'The MCP server, for catalogs',
      description: 'Leads assistants from the address of the site to the server card.',
    },
    { description: 'The catalog.', content: { [AI_CATALOG_TYPE]: 'JsonObject' } },
  ),
  dataFile(
    {
      id: 'getServerCard',
      path: SERVER_CARD_PATH,
      tag: 'MCP',
      summary: 'The MCP server, for clients',
      description: 'The server card: name, description and address of the endpoint.',
    },
    { description: 'The card.', content: { [SERVER_CARD_TYPE]: 'JsonObject' } },
  ),
  dataFile(
    {
      id: 'getLlmsText',
      path: LLMS_PATH,
      tag: 'Service',
      summary: 'An overview for assistants',
      description: 'Markdown as llmstxt.org describes it.',
    },
    text(PLAIN_TYPE, 'The overview.'),
  ),
  dataFile(
    {
      id: 'getRobots',
      path: ROBOTS_PATH,
      tag: 'Service',
      summary: 'Rules for crawlers',
      description: 'RFC 9309: everything may be crawled except searches.',
    },
    text(PLAIN_TYPE, 'The rules.'),
  ),
  dataFile(
    {
      id: 'getSitemap',
      path: SITEMAP_PATH,
      tag: 'Service',
      summary: 'The pages of the site',
      description: 'The format of sitemaps.org.',
    },
    text('application/xml', 'The sitemap.'),
  ),
  dataFile(
    {
      id: 'getSecurityText',
      path: SECURITY_PATH,
      tag: 'Service',
      summary: 'Contact for security reports',
      description: 'RFC 9116.',
    },
    text(PLAIN_TYPE, 'The contact.'),
  ),
  {
    id: 'getHealth',
    method: 'get',
    path: HEALTH_PATH,
    tag: 'Service',
    summary: 'The process responds',
    description: 'For load balancers; says nothing of the hub or its store.',
    answers: probe({ 200: json('Health', 'It does.') }),
  },
  {
    id: 'getReadiness',
    method: 'get',
    path: READINESS_PATH,
    tag: 'Service',
    summary: 'The state of every part',
    description: 'For operators: edition, hub and store.',
    answers: probe({
      200: json('Health', 'Every part does its work.'),
      503: json('Health', 'A part cannot do its work.'),
    }),
  },
];
