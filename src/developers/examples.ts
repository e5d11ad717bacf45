import { countAnswer, searchAnswer } from '../search/result.ts';
import { parseCountParameters, parseSearchParameters } from '../search/parameters.ts';
import { SearchIndex } from '../search/search-index.ts';
import { LabelLines } from '../dataset/labels.ts';
import { countSince, dayNumber, sinceBody } from '../dataset/since.ts';
import {
  ATOM_PATH,
  COUNT_PATH,
  HUB_PATH,
  INSIGHTS_PATH,
  JSON_FEED_PATH,
  MCP_PATH,
  PROVENANCE_PATH,
  REVIEWS_PATH,
  SEARCH_PATH,
  SINCE_PATH,
} from '../paths.ts';
import { atomFeed } from '../formats/atom.ts';
import { feedSource } from '../formats/feed.ts';
import { jsonFeed } from '../formats/json-feed.ts';
import type { Publication } from '../build/publication.ts';
import { abridge, excerpt, layOut } from './json-text.ts';

/** A command ready to run, and its real output for this edition. */
export interface Example {
  says: string;
  command: string;
  answer?: string;
}

const FEED_LINES = 26;

/** Returns examples by operation. The responses come from the same code as real ones. */
export function examples(publication: Publication): Record<string, Example[]> {
  const { baseUrl, dataset, insights, lines, labels, names, days, provenance } = publication;
  const search = new SearchIndex(lines, names, new LabelLines(labels));
  const get = (path: string, answer: unknown, says: string): Example => ({
    says,
    command: `curl -s '${baseUrl}${path}'`,
    answer: pretty(answer),
  });
  const found = (query: string, says: string): Example => {
    const parsed = parseSearchParameters(new URLSearchParams(query));
    const answer =
      'issues' in parsed
        ? invalid(parsed.issues)
        : parse(searchAnswer(lines, parsed.filters, search.search(parsed.filters), parsed.ignored));
    return get(`${SEARCH_PATH}?${query}`, answer, says);
  };
  const counted = (query: string, says: string): Example => {
    const parsed = parseCountParameters(new URLSearchParams(query));
    if ('issues' in parsed) return get(`${COUNT_PATH}?${query}`, invalid(parsed.issues), says);
    const answer = countAnswer(search, parsed.filters, parsed.ignored);
    return get(`${COUNT_PATH}?${query}`, answer, says);
  };
  const words = insights.aspects.flatMap(({ top_phrases: phrases }) => phrases)[0] ?? 'the';
  const technician = insights.entities.technicians.find(
    ({ mention_count: count }) => count > 0,
  )?.id;
  const day = dataset.reviews[2]?.date ?? dataset.coverage.latest ?? '2026-01-01';
  const source = feedSource(dataset, baseUrl);

  return {
    getReviews: [
      get(REVIEWS_PATH, dataset, 'Everything in one document, abridged here'),
      unchanged(baseUrl),
    ],
    getInsights: [get(INSIGHTS_PATH, insights, 'Abridged')],
    getProvenance: [get(PROVENANCE_PATH, provenance, 'Abridged')],
    getJsonFeed: [get(JSON_FEED_PATH, jsonFeed(source), 'Abridged')],
    getAtomFeed: [
      {
        says: 'The first entry',
        command: `curl -s '${baseUrl}${ATOM_PATH}'`,
        answer: excerpt(atomFeed(source), FEED_LINES),
      },
    ],
    searchReviews: [
      found(
        new URLSearchParams({ query: words, min_rating: '4', limit: '1' }).toString(),
        'Words in the text, four stars or more, the newest one',
      ),
      ...(technician
        ? [found(`mentions_technician=${technician}&limit=2`, 'Reviews that mention a technician')]
        : []),
      found(
        'sort=lowest&has_reply=false&detail=brief&limit=1',
        'The worst without a reply, in brief',
      ),
      found('mentions_service=zzz', 'A name that nothing has'),
      found('rating=9&since=2026-02-30', 'Two parameters that are invalid'),
    ],
    countReviews: [
      counted('group_by=aspect&max_rating=2&examples=1', 'Complaints by aspect, with a quote each'),
      counted('group_by=year,sentiment', 'Two groupings'),
    ],
    getReviewsSince: [
      get(
        `${SINCE_PATH}/${day}`,
        parse(Buffer.concat(sinceBody(lines, countSince(days, dayNumber(day)), day))),
        'From a day on',
      ),
    ],
    callMcp: mcpExamples(publication),
    requestSubscription: hubExamples(baseUrl),
  };
}

function unchanged(baseUrl: string): Example {
  const url = `'${baseUrl}${REVIEWS_PATH}'`;
  return {
    says: 'With its ETag, an unchanged response is an empty 304',
    command: [
      `curl -s -o reviews.json --etag-save etag.txt ${url}`,
      `curl -s -o reviews.json --etag-compare etag.txt -w '%{http_code}\\n' ${url}`,
    ].join('\n'),
    answer: '304',
  };
}

function mcpExamples({ baseUrl, dataset }: Publication): Example[] {
  const { business, aggregate_rating, coverage } = dataset;
  const result = { business, aggregate_rating, coverage };
  const call = (id: number, method: string, params: object) =>
    [
      `curl -s '${baseUrl}${MCP_PATH}' \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -H 'Accept: application/json, text/event-stream' \\`,
      `  -d '${JSON.stringify({ jsonrpc: '2.0', id, method, params })}'`,
    ].join('\n');
  const client = { name: 'curl', version: '1.0' };
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client };
  return [
    {
      says: 'Start a session; the response has Mcp-Session-Id',
      command: call(1, 'initialize', hello).replace('curl -s ', 'curl -si '),
    },
    { says: 'The tools and their arguments', command: call(2, 'tools/list', {}) },
    {
      says: 'Call a tool',
      command: call(3, 'tools/call', { name: 'get_business', arguments: {} }),
      answer: pretty({
        jsonrpc: '2.0',
        id: 3,
        result: {
          content: [{ type: 'text', text: JSON.stringify(result) }],
          structuredContent: result,
        },
      }),
    },
  ];
}

function hubExamples(baseUrl: string): Example[] {
  const request = (callback: string) =>
    [
      `curl -s -w '%{http_code}\\n' '${baseUrl}${HUB_PATH}' \\`,
      `  --data-urlencode 'hub.mode=subscribe' \\`,
      `  --data-urlencode 'hub.topic=${baseUrl}${JSON_FEED_PATH}' \\`,
      `  --data-urlencode 'hub.callback=${callback}' \\`,
      `  --data-urlencode 'hub.secret=a long random string'`,
    ].join('\n');
  return [
    {
      says: 'Subscribe to a topic',
      command: request('https://subscriber.example/reviews'),
      answer: '202',
    },
    {
      says: 'Plain HTTP is refused with a one-line reason',
      command: request('http://subscriber.example/reviews'),
    },
  ];
}

/** Returns the service's body for a 400. */
function invalid(issues: object[]) {
  const message = 'Some parameters are invalid; each is listed in issues.';
  return { error: 'invalid_parameters', message, issues };
}

function parse(body: Buffer): unknown {
  return JSON.parse(body.toString());
}

function pretty(answer: unknown): string {
  return layOut(abridge(answer));
}
