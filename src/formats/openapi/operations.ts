import {
  ATOM_PATH,
  ATOM_TYPE,
  COUNT_PATH,
  HUB_PATH,
  INSIGHTS_PATH,
  JSON_FEED_PATH,
  JSON_TYPE,
  MCP_PATH,
  PROVENANCE_PATH,
  REVIEWS_PATH,
  SEARCH_PATH,
  SINCE_PATH,
} from '../../paths.ts';
import type { SchemaName } from './components.ts';

/** A status of an operation: its meaning and its body. */
export interface Answer {
  description: string;
  type?: string;
  schema?: SchemaName;
}

/** An endpoint of the contract, shown in the OpenAPI document and on the page for developers. */
export interface Operation {
  id: string;
  method: 'get' | 'post';
  /** With path parameters in braces. */
  path: string;
  summary: string;
  description: string;
  /** The schema whose properties are the query parameters. */
  query?: SchemaName;
  pathParameters?: Record<string, string>;
  body?: { type: string; schema: SchemaName };
  answers: Record<number, Answer>;
}

const json = (schema: SchemaName, description: string): Answer => ({
  description,
  type: JSON_TYPE,
  schema,
});

/** One line of text for people. */
const line = (description: string): Answer => ({ description, type: 'text/plain' });

const NOT_MODIFIED: Answer = {
  description: 'If-None-Match or If-Modified-Since matches the current data; empty.',
};
const INVALID = json('Error', 'A parameter is invalid; issues lists every one that is.');
const TOO_MANY = json('Error', 'Too many requests from this address; see Retry-After.');

/** Every endpoint, in the order of the contract, section 4. */
export const OPERATIONS: readonly Operation[] = [
  {
    id: 'getReviews',
    method: 'get',
    path: REVIEWS_PATH,
    summary: 'All verified reviews',
    description:
      'Business, aggregate rating, coverage and every published review, newest first. One of the three topics of the hub.',
    answers: { 200: json('ReviewsDataset', 'The whole dataset.'), 304: NOT_MODIFIED },
  },
  {
    id: 'getInsights',
    method: 'get',
    path: INSIGHTS_PATH,
    summary: 'Insights from the reviews',
    description:
      'Aspects with their sentiment, technicians, services, areas and problems, topics, the trend by month, questions with evidence, an editorial summary. per_review lets you recount all of it.',
    answers: { 200: json('InsightsDataset', 'The whole dataset.'), 304: NOT_MODIFIED },
  },
  {
    id: 'getProvenance',
    method: 'get',
    path: PROVENANCE_PATH,
    summary: 'Where the reviews come from',
    description:
      'By platform, what verified means there, how many reviews it shows and how many are published; the exports they came from with their SHA-256, what was left out, what was changed, and who read the reviews.',
    answers: { 200: json('Provenance', 'The whole document.'), 304: NOT_MODIFIED },
  },
  {
    id: 'getJsonFeed',
    method: 'get',
    path: JSON_FEED_PATH,
    summary: 'The newest reviews as a JSON Feed',
    description: 'JSON Feed 1.1 of the 50 newest reviews, served as application/json. A topic.',
    answers: { 200: json('JsonFeed', 'The feed.'), 304: NOT_MODIFIED },
  },
  {
    id: 'getAtomFeed',
    method: 'get',
    path: ATOM_PATH,
    summary: 'The newest reviews as an Atom feed',
    description: 'Atom 1.0 (RFC 4287) of the same 50 reviews. A topic.',
    answers: { 200: { description: 'The feed.', type: ATOM_TYPE }, 304: NOT_MODIFIED },
  },
  {
    id: 'searchReviews',
    method: 'get',
    path: SEARCH_PATH,
    summary: 'Search the reviews',
    description:
      'The reviews that match every filter, newest first. An empty parameter counts as absent, a repeated one is invalid, and unknown ones are ignored and listed in ignored_params. A name that nothing has matches nothing and is listed in unresolved. Follow next for more.',
    query: 'SearchFilters',
    answers: {
      200: json('SearchResult', 'The reviews that match.'),
      304: NOT_MODIFIED,
      400: INVALID,
      429: TOO_MANY,
    },
  },
  {
    id: 'countReviews',
    method: 'get',
    path: COUNT_PATH,
    summary: 'Count the reviews',
    description:
      'Counts the reviews that match every filter, by one or two groupings: number, average stars, shares of positive, negative and answered reviews, and quotes with links. Exact, because every review is counted.',
    query: 'CountFilters',
    answers: {
      200: json('CountResult', 'The groups that have reviews.'),
      304: NOT_MODIFIED,
      400: INVALID,
      429: TOO_MANY,
    },
  },
  {
    id: 'getReviewsSince',
    method: 'get',
    path: `${SINCE_PATH}/{date}`,
    summary: 'The reviews since a day',
    description:
      'Every review on or after a day, newest first. Its ETag changes only when this listing does, so polling is cheap.',
    pathParameters: { date: 'The first day, YYYY-MM-DD.' },
    answers: {
      200: json('SinceResult', 'The listing; empty after the newest review.'),
      304: NOT_MODIFIED,
      400: INVALID,
    },
  },
  {
    id: 'callMcp',
    method: 'post',
    path: MCP_PATH,
    summary: 'Tools for assistants (MCP)',
    description:
      'The Model Context Protocol over streamable HTTP: JSON-RPC 2.0, read-only tools. Send Accept: application/json, text/event-stream. The response to initialize has Mcp-Session-Id; send it with every later request.',
    body: { type: JSON_TYPE, schema: 'JsonRpcRequest' },
    answers: {
      200: json('JsonRpcResponse', 'The result, or a JSON-RPC error.'),
      202: { description: 'A notification was accepted; empty.' },
      400: json('JsonRpcResponse', 'The request is not JSON-RPC, or its headers are wrong.'),
      403: json('JsonRpcResponse', 'The Origin or Host of the request is not allowed.'),
      404: json('JsonRpcResponse', 'The session is unknown or has ended: initialize again.'),
      406: json('JsonRpcResponse', 'Accept lacks one of the two media types.'),
      413: json('JsonRpcResponse', 'The body is over 16 KiB.'),
      415: json('JsonRpcResponse', 'The body is not application/json.'),
      429: json('JsonRpcResponse', 'Too many requests from this address; see Retry-After.'),
    },
  },
  {
    id: 'requestSubscription',
    method: 'post',
    path: HUB_PATH,
    summary: 'Subscribe to changes (WebSub)',
    description:
      'Asks the hub to push a topic to your callback, or to stop. The hub first verifies the callback with a challenge.',
    body: { type: 'application/x-www-form-urlencoded', schema: 'HubRequest' },
    answers: {
      202: { description: 'Accepted; the hub now verifies it with the callback. Empty.' },
      400: line('Refused, with a one-line reason.'),
      413: line('The form is over 8 KiB.'),
      415: line('The body is not a form.'),
      429: line('Too many requests from this address; see Retry-After.'),
      503: line('The hub is full or its store is down; see Retry-After.'),
    },
  },
];
