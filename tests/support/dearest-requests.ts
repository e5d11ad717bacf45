import { writeCursor } from '../../src/schema/cursor.ts';
import type { ReviewsDataset } from '../../src/schema/dataset.ts';
import { GROUPS } from '../../src/schema/groups.ts';
import { NAME_FILTERS, type NameFilter } from '../../src/search/filter-names.ts';
import { MCP_HEADERS, request } from './mcp.ts';

/** A request that costs as much as any that its endpoint or tool answers. */
export interface DearRequest {
  name: string;
  path: string;
  init?: { method: string; headers: Record<string, string>; body: string };
}

const USUAL_WORDS = 'the and was for with they our that this you have very';
const UNKNOWN = 'unknownthing'.repeat(16);
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
/** Words of two letters, most of which no text has. */
const SHORT_WORDS = LETTERS.flatMap((a) => LETTERS.map((b) => a + b));
const NAMED = Object.keys(NAME_FILTERS) as NameFilter[];
/** Words whose beginnings occur and whose ends do not. */
const NOT_FOUND =
  'theq recommendatiq professionaq everythinq immediatelq conscientiouq unfortunatelq communicatioq';

/**
 * Returns the dearest requests known of every endpoint and tool that computes.
 *
 * @param number distinguishes them from those of other numbers, so that no answer is kept
 */
export function dearestRequests({ reviews }: ReviewsDataset, number: number): DearRequest[] {
  const { rating, date, id } = reviews.at(-2)!;
  const last = reviews.at(-1)!;
  const cursorOf = (sort: 'oldest' | 'lowest') => writeCursor({ sort, key: rating, date, id });
  const get = (name: string, path: string, query: Record<string, unknown>): DearRequest => ({
    name,
    path: `${path}?${new URLSearchParams({ ...query, number: String(number) } as Record<string, string>)}`,
  });
  const mcp = (name: string, message: unknown): DearRequest => ({
    name,
    path: '/mcp',
    init: { method: 'POST', headers: MCP_HEADERS, body: JSON.stringify(message) },
  });
  const tool = (name: string, args: object, detail = '') =>
    mcp(`${name} ${detail}`.trim(), request('tools/call', { name, arguments: args }, number));
  const words = SHORT_WORDS.slice(20 * number, 20 * number + 150);
  const search = '/api/reviews/search';
  const facets = GROUPS.join();
  const unknown = Object.fromEntries(NAMED.map((name) => [name, UNKNOWN]));
  const names = LETTERS.slice(0, 10).map((letter) => `unknownthing${letter}${number}`);
  const tenUnknown = Object.fromEntries(NAMED.map((name) => [name, names.join()]));
  const page = '/search/';
  return [
    get('search, all facets', search, { query: 'e a', in: 'text,title', facets, limit: 100 }),
    get('search, deep', search, {
      sort: 'lowest',
      cursor: cursorOf('lowest'),
      facets,
      limit: 100,
      query: 'e',
    }),
    get('search, oldest', search, {
      sort: 'oldest',
      cursor: cursorOf('oldest'),
      facets,
      limit: 100,
    }),
    get('search, brief', search, { detail: 'brief', query: 's a', limit: 100 }),
    get('search, unknown names', search, unknown),
    get('search, ten unknown names in each filter', search, tenUnknown),
    ...NAMED.map((name) =>
      get(`search, ten unknown names as ${name}`, search, { [name]: names.join() }),
    ),
    get('search, ten unknown names and as many facets', search, {
      ...tenUnknown,
      facets,
      limit: 100,
    }),
    get('search, long query', search, { query: 'é'.repeat(1_500), limit: 100 }),
    get('search, a sentence', search, { query: last.text?.slice(0, 200) ?? 'e', limit: 100 }),
    get('search, words left out', search, {
      match: 'words',
      query: words.map((word) => `-${word}`).join(' '),
    }),
    get('search, strings left out', search, {
      match: 'words',
      query: words.map((word) => `-"~${word}"`).join(' '),
    }),
    get('search, short words', search, { match: 'words', query: words.join(' ') }),
    get(
      'search, many parameters',
      search,
      Object.fromEntries(Array.from({ length: 1_200 }, (_, at) => [`p${at}`, '1'])),
    ),
    get('count, ten unknown names', '/api/reviews/count', {
      ...tenUnknown,
      group_by: 'service,aspect',
    }),
    ...[
      'aspect,month',
      'sentiment,aspect',
      'service,aspect',
      'topic,month',
      'service,month',
      'technician,service',
    ].map((groups) =>
      get(`count, ${groups}`, '/api/reviews/count', { group_by: groups, examples: 2, query: 'e' }),
    ),
    get('page, plain', page, { limit: 100 }),
    get('page, ten unknown names in each filter', page, tenUnknown),
    get('page, a letter', page, { query: 'e', limit: 100 }),
    get('page, nothing found', page, {
      query: `${NOT_FOUND}${number}`,
      rating: 1,
      has_reply: true,
      since: '2019-01-01',
    }),
    { name: 'review, page', path: `/reviews/${last.id}/` },
    { name: 'review, document', path: `/reviews/${last.id}.json` },
    { name: 'listing', path: '/api/reviews/since/2001-01-01' },
    mcp('tools/list', request('tools/list', {}, number)),
    mcp('resources/list', request('resources/list', {}, number)),
    mcp('resources/read', request('resources/read', { uri: 'reviews://insights' }, number)),
    mcp(
      'resources/read, unknown',
      request('resources/read', { uri: `reviews://topic/${'x'.repeat(8_000)}` }, number),
    ),
    mcp(
      'prompt, unknown',
      request(
        'prompts/get',
        { name: 'summarize_service_reviews', arguments: { service: UNKNOWN.repeat(50) } },
        number,
      ),
    ),
    mcp(
      'a batch',
      Array.from({ length: 200 }, () => request('tools/list', {}, number)),
    ),
    mcp('a huge id', request('tools/list', {}, 'x'.repeat(15_000))),
    tool('search', { query: USUAL_WORDS }),
    tool('search', { query: 'th he in er an re on at en nd ti es' }, 'of letters'),
    tool('search_reviews', { limit: 100, query: 'e', facets: [...GROUPS] }),
    tool('search_reviews', tenUnknown, 'ten unknown names'),
    tool('search_reviews', { limit: 100, detail: 'brief', query: 'e a' }, 'brief'),
    tool(
      'search_reviews',
      Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`a${at}`, 1])),
      'many arguments',
    ),
    tool('count_reviews', { group_by: ['aspect', 'month'], examples: 2 }),
    tool('count_reviews', { group_by: ['area', 'technician'], examples: 2 }, 'within 250 groups'),
    tool('get_review', { id: 'x'.repeat(200) }),
    tool('fetch', { id: '家'.repeat(2_000) }),
    tool('get_insight', { name: UNKNOWN }),
    tool('get_faq', { query: 'the and '.repeat(20) }),
    tool('get_summary', {}),
    tool('get_business', {}),
    tool('what_changed', { after: 0 }),
    tool('list_insights', { kind: 'topics' }),
  ];
}
