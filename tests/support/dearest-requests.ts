import { writeCursor } from '../../src/schema/search.ts';
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
/** Groups by which a count is dear. */
const PAIRS =
  'aspect,month sentiment,aspect service,aspect topic,month service,month technician,service'.split(
    ' ',
  );

/**
 * Returns the dearest requests known of every endpoint and tool that computes.
 *
 * @param number distinguishes them from those of other numbers, so that no answer is kept
 */
export function dearestRequests({ reviews }: ReviewsDataset, number: number): DearRequest[] {
  const { rating, date, id } = reviews.at(-2)!;
  const last = reviews.at(-1)!;
  const cursorOf = (sort: 'oldest' | 'lowest') => writeCursor({ sort, key: rating, date, id });
  type Query = Record<string, unknown>;
  const get = (path: string, name: string, query: Query): DearRequest => ({
    name,
    path: `${path}?${new URLSearchParams({ ...query, number: String(number) } as Record<string, string>)}`,
  });
  const search = (what: string, query: Query) =>
    get('/api/reviews/search', `search, ${what}`, query);
  const words = (what: string, all: readonly string[]) =>
    search(what, { match: 'words', query: all.join(' ') });
  const count = (what: string, query: Query) => get('/api/reviews/count', `count, ${what}`, query);
  const page = (what: string, query: Query) => get('/search/', `page, ${what}`, query);
  const mcp = (name: string, message: unknown): DearRequest => ({
    name,
    path: '/mcp',
    init: { method: 'POST', headers: MCP_HEADERS, body: JSON.stringify(message) },
  });
  const method = (name: string, params: object, what = name) =>
    mcp(what, request(name, params, number));
  const tool = (name: string, args: object, detail = '') =>
    method('tools/call', { name, arguments: args }, `${name} ${detail}`.trim());
  const many = (letter: string, length: number, value: unknown) =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`${letter}${at}`, value]));
  const short = SHORT_WORDS.slice(20 * number, 20 * number + 150);
  const facets = GROUPS.join();
  const widest = { facets, limit: 100 };
  const unknown = Object.fromEntries(NAMED.map((name) => [name, UNKNOWN]));
  const names = LETTERS.slice(0, 10).map((letter) => `unknownthing${letter}${number}`);
  const tenUnknown = Object.fromEntries(NAMED.map((name) => [name, names.join()]));
  return [
    search('all facets', { query: 'e a', in: 'text,title', ...widest }),
    search('deep', { sort: 'lowest', cursor: cursorOf('lowest'), ...widest, query: 'e' }),
    search('oldest', { sort: 'oldest', cursor: cursorOf('oldest'), ...widest }),
    search('brief', { detail: 'brief', query: 's a', limit: 100 }),
    search('unknown names', unknown),
    search('ten unknown names in each filter', tenUnknown),
    ...NAMED.map((name) => search(`ten unknown names as ${name}`, { [name]: names.join() })),
    search('ten unknown names and as many facets', { ...tenUnknown, ...widest }),
    search('long query', { query: 'é'.repeat(1_500), limit: 100 }),
    search('a sentence', { query: last.text?.slice(0, 200) ?? 'e', limit: 100 }),
    words(
      'words left out',
      short.map((word) => `-${word}`),
    ),
    words(
      'strings left out',
      short.map((word) => `-"~${word}"`),
    ),
    words('short words', short),
    search('many parameters', many('p', 1_200, '1')),
    count('ten unknown names', { ...tenUnknown, group_by: 'service,aspect' }),
    ...PAIRS.map((groups) => count(groups, { group_by: groups, examples: 2, query: 'e' })),
    page('plain', { limit: 100 }),
    page('ten unknown names in each filter', tenUnknown),
    page('a letter', { query: 'e', limit: 100 }),
    page('nothing found', {
      query: `${NOT_FOUND}${number}`,
      rating: 1,
      has_reply: true,
      since: '2019-01-01',
    }),
    { name: 'review, page', path: `/reviews/${last.id}/` },
    { name: 'review, document', path: `/reviews/${last.id}.json` },
    { name: 'listing', path: '/api/reviews/since/2001-01-01' },
    method('tools/list', {}),
    method('resources/list', {}),
    method('resources/read', { uri: 'reviews://insights' }),
    method(
      'resources/read',
      { uri: `reviews://topic/${'x'.repeat(8_000)}` },
      'resources/read, unknown',
    ),
    method(
      'prompts/get',
      { name: 'summarize_service_reviews', arguments: { service: UNKNOWN.repeat(50) } },
      'prompt, unknown',
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
    tool('search_reviews', many('a', 1_000, 1), 'many arguments'),
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
