import assert from 'node:assert/strict';
import { test } from 'node:test';
import addFormats from 'ajv-formats';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { insightsDigest, type InsightsDigest } from '../../src/schema/insights-digest.ts';
import type { ChangesDocument } from '../../src/schema/journal.ts';
import type { Review } from '../../src/schema/review.ts';
import { queryString, type RequestOptions } from '../support/http.ts';
import {
  answerOf,
  ask,
  eachOf,
  initialize,
  toolErrorOf,
  post,
  request,
  withoutMarks,
} from '../support/mcp.ts';
import { forEachTarget } from '../support/targets.ts';

// Contract, section 4.8: the tools and their results.

const NAMES = (
  'get_business search_reviews count_reviews get_review get_insight list_insights get_faq ' +
  'what_changed get_summary search fetch'
).split(' ');

/** Bytes of what a model reads of the list and the instructions (2,800 tokens), and of all with the output schemas. */
const READ_MAX = 11_300;
const LIST_MAX = 30_400;
/** Bytes of a result that leaves a model room to think. */
const COUNT_MAX = 120_000;

const RECENT = 5;

/** Arguments of tools that need some. */
const ARGUMENTS: Record<string, object> = {
  count_reviews: { group_by: ['aspect', 'sentiment'], examples: 1 },
  get_review: { id: '01KMT1WVHGVZE5YHXK9PB4B6QJ' },
  get_insight: { name: 'Priya' },
  list_insights: { kind: 'services' },
  search: { query: 'price' },
  fetch: { id: 'reviews://aspect/pricing' },
};

forEachTarget((target) => {
  const digest = async () =>
    insightsDigest.parse(await target.json('/insights-digest.json')) satisfies InsightsDigest;

  test('lists eleven tools that only read, the same each time, within a token budget', async () => {
    const { tools } = await ask(target, 'tools/list');
    assert.deepEqual((await ask(target, 'tools/list')).tools, tools);
    const listed = Buffer.byteLength(JSON.stringify(tools));
    assert.ok(listed < LIST_MAX, `${listed} bytes`);
    assert.deepEqual(eachOf(tools, 'name'), NAMES);
    const read = tools.map(({ name, description, inputSchema }: Record<string, unknown>) => ({
      name,
      description,
      inputSchema,
    }));
    const { instructions } = (await post(target, initialize())).body!.result;
    const bytes = Buffer.byteLength(JSON.stringify(read) + instructions);
    assert.ok(bytes < READ_MAX, `${bytes} bytes`);
    for (const { title, description, inputSchema, outputSchema, annotations } of tools) {
      assert.ok(title.length > 0 && description.length > 100, title);
      assert.equal(inputSchema.type, 'object');
      assert.equal(inputSchema.additionalProperties, false);
      assert.equal(outputSchema.type, 'object');
      assert.ok(outputSchema.required.length > 0);
      assert.deepEqual(annotations, {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    }
  });

  test('a strict validator compiles every schema without a warning, and accepts what tools answer', async () => {
    const warnings: string[] = [];
    const warn = (message: string) => warnings.push(message);
    const logger = { log: warn, warn, error: warn };
    const { tools } = await ask(target, 'tools/list');
    for (const Validator of [Ajv, Ajv2020]) {
      const strict = new Validator({ strict: true, allErrors: true, logger });
      addFormats.default(strict);
      for (const { name, inputSchema, outputSchema } of tools) {
        strict.compile(inputSchema);
        const isAnswer = strict.compile(outputSchema);
        const args = ARGUMENTS[name] ?? {};
        assert.ok(isAnswer(await answerOf(target, name, args)), strict.errorsText(isAnswer.errors));
      }
    }
    assert.deepEqual(warnings, []);
  });

  test('get_business says what reviews.json says of the business', async () => {
    const { business, aggregate_rating, coverage, license } = await target.dataset();
    assert.deepEqual(await answerOf(target, 'get_business'), {
      business,
      aggregate_rating,
      coverage,
      terms: license.terms,
    });
  });

  test('search_reviews and count_reviews answer as the HTTP search and count do', async () => {
    for (const [tool, path, filters] of [
      ['search_reviews', 'search', {}],
      ['search_reviews', 'search', { query: 'HEAT', limit: 100 }],
      ['search_reviews', 'search', { min_rating: 4.5, since: '2024-01-01', until: '2025-12-31' }],
      ['search_reviews', 'search', { rating: 1, mentions_service: 'water-heater' }],
      ['search_reviews', 'search', { query: 'zebra heater', match: 'words' }],
      ['search_reviews', 'search', { query: '"' }],
      ['search_reviews', 'search', { detail: 'brief', facets: ['rating', 'aspect'], limit: 3 }],
      ['count_reviews', 'count', {}],
      ['count_reviews', 'count', { group_by: ['aspect', 'sentiment'], examples: 2, max_rating: 3 }],
      ['count_reviews', 'count', { group_by: ['month'], mentions_technician: 'grace' }],
    ] as const) {
      const texts = Object.entries(filters).map(([name, value]) => [name, String(value)]);
      const query = queryString(Object.fromEntries(texts));
      const published = await target.json<object>(`/api/reviews/${path}?${query}`);
      const { say: _, ...answer } = await answerOf(target, tool, filters);
      assert.deepEqual(answer, withoutMarks(published));
    }
  });

  test('a filter by an unknown name is an error with suggestions, never an empty answer', async () => {
    for (const tool of ['search_reviews', 'count_reviews']) {
      const names = { mentions_service: 'heat pumping xyz', topic: 'qqqqqq' };
      const toolError = await toolErrorOf(target, tool, names);
      assert.equal(toolError.error, 'unknown_service');
      assert.ok(eachOf(toolError.suggestions, 'id').includes('heat-pump'));
      assert.ok(toolError.known_ids.includes('heat-pump'));
      assert.deepEqual(eachOf(toolError.issues, 'path'), [['mentions_service'], ['topic']]);
      assert.deepEqual(eachOf(toolError.issues, 'code'), ['unknown_service', 'unknown_topic']);
    }
  });

  test('search and fetch have the shapes of ChatGPT connectors', async () => {
    const { results, ...others } = await answerOf(target, 'search', {
      query: 'Is the price fair?',
    });
    const understood = { words: ['price', 'fair'], ignored: ['is', 'the'] };
    assert.deepEqual(others, { confidence: 1, understood });
    assert.ok(results.length > 1 && results.length <= 20);
    for (const result of results) {
      const { text: sentence, ...shown } = result;
      assert.deepEqual(Object.keys(shown), ['id', 'title', 'url']);
      const found = await answerOf(target, 'fetch', { id: result.id });
      assert.deepEqual(Object.keys(found), ['id', 'title', 'text', 'url', 'metadata']);
      const { id, title, url, text, metadata } = found;
      assert.deepEqual({ id, title, url }, shown);
      assert.ok(text.length > 0);
      if (sentence !== undefined) assert.ok(text.includes(sentence), sentence);
      for (const value of Object.values(metadata)) assert.equal(typeof value, 'string');
    }
  });

  test('search finds what a question names first, then reviews with its rarest words', async () => {
    for (const [query, first] of [
      ['What do customers say about punctuality?', 'reviews://aspect/punctuality'],
      ['missed appointments', 'reviews://problem/missed-appointment'],
      ['Who repairs a water heater?', 'reviews://service/water-heater'],
    ]) {
      const { results } = await answerOf(target, 'search', { query });
      assert.equal(results[0].id, first);
    }
    const { results } = await answerOf(target, 'search', { query: 'the cast iron boiler' });
    const id = eachOf(results, 'id').find((each) => !each.includes('://'));
    const { text } = await answerOf(target, 'fetch', { id });
    assert.match(text, /cast iron/i);
    const unsure = await answerOf(target, 'search', { query: 'Are they good xylophone players?' });
    assert.deepEqual(unsure.results, []);
    assert.match(unsure.not_sure, /the reviews do not tell/);
  });

  test('a question with no subject but a time or stars finds the reviews that tell most', async () => {
    const query = 'what do people complain about in 2025?';
    const { results, filters, understood } = await answerOf(target, 'search', { query });
    assert.deepEqual(understood, { words: [] });
    assert.deepEqual(filters, { since: '2025-01-01', until: '2025-12-31' });
    const told = { ...filters, sort: 'telling', limit: 20 };
    const { reviews } = await answerOf(target, 'search_reviews', told);
    assert.deepEqual(eachOf(results, 'id'), eachOf(reviews, 'id'));
  });

  test('get_review and fetch take ids in any case, those of feeds, and addresses', async () => {
    const { reviews } = await target.dataset();
    const review = reviews.at(-1)!;
    for (const id of [
      review.id,
      ` ${review.id.toLowerCase()}`,
      `urn:ulid:${review.id}`,
      review.url,
      `${review.url.slice(0, -1)}.json`,
      `/reviews/${review.id}`,
    ]) {
      assert.deepEqual(await answerOf(target, 'get_review', { id }), { review }, id);
      assert.equal((await answerOf(target, 'fetch', { id })).id, review.id, id);
    }
    const { results } = await answerOf(target, 'search', { query: 'price' });
    const [aspect] = results as { id: string; url: string }[];
    const byUrl = await answerOf(target, 'fetch', { id: aspect!.url });
    assert.equal(byUrl.title, (await answerOf(target, 'fetch', { id: aspect!.id })).title);
    await toolErrorOf(target, 'get_review', { id: `https://a.example/${review.id}x` });
  });

  const search = async (filters: object): Promise<Review[]> =>
    (await answerOf(target, 'search_reviews', filters)).reviews;

  test('get_insight answers one thing of each kind by its id and its names, with reviews', async () => {
    const { aspects, entities, topics } = await digest();
    const { reviews } = await target.dataset();
    const brief = (given: readonly Review[]) => given.map(({ id }) => id);
    const kinds = {
      aspect: ['aspect', aspects],
      technician: ['mentions_technician', entities.technicians],
      service: ['mentions_service', entities.services],
      problem: ['mentions_problem', entities.problems],
      area: ['mentions_area', entities.service_areas],
    } as const;
    for (const [kind, [filter, entries]] of Object.entries(kinds)) {
      for (const entry of entries) {
        const newest = brief(await search({ [filter]: entry.id, limit: RECENT }));
        for (const name of [entry.id, entry.label.toUpperCase()]) {
          const answer = await answerOf(target, 'get_insight', { name, kind });
          const { kind: answered, insight, reviews } = answer;
          assert.deepEqual([answered, insight, brief(reviews)], [kind, entry, newest]);
        }
      }
    }
    for (const { example_review_ids: ids, ...topic } of topics) {
      const answer = await answerOf(target, 'get_insight', { name: topic.label, kind: 'topic' });
      assert.deepEqual([answer.insight, brief(answer.reviews)], [topic, ids]);
      assert.ok(ids.every((id) => reviews.some((one) => one.id === id)));
    }
  });

  test('get_insight takes a word for a part of something, and counts the word', async () => {
    const { kind, insight, words } = await answerOf(target, 'get_insight', { name: 'on time' });
    assert.deepEqual([kind, insight.id], ['aspect', 'punctuality']);
    const found = await answerOf(target, 'search_reviews', { query: 'on time', match: 'words' });
    assert.deepEqual(words, { 'on time': found.matched });
    const unknown = await toolErrorOf(target, 'get_insight', { name: 'grandmother' });
    assert.equal(unknown.error, 'unknown_insight');
    const hint = /Reviews with its words: \d+, by search_reviews \{"query":"grandmother"/;
    assert.match(unknown.message, hint);
  });

  test('aspects and the words for them say each other', async () => {
    const byName = await answerOf(target, 'count_reviews', { aspect: 'price' });
    const byWord = await answerOf(target, 'count_reviews', { query: 'price', match: 'words' });
    assert.equal(byName.words.price, byWord.total);
    assert.equal(Object.values(byWord.wider)[0], byName.total);
  });

  test('a count has a sentence to say aloud', async () => {
    const say = async (filters: object) => (await answerOf(target, 'count_reviews', filters)).say;
    const counted = await answerOf(target, 'count_reviews', { query: 'tap', match: 'words' });
    const { length: all } = (await target.dataset()).reviews;
    const { positive_pct: positive } = counted.groups[0];
    const told = `${counted.total} of ${all} reviews mention “tap”. ${positive}% of them are positive, `;
    assert.ok(counted.say.startsWith(told), counted.say);
    assert.match(await say({ mentions_technician: 'priya' }), /reviews mention Priya Raman\. /);
    assert.match(await say({ rating: 5 }), /^\d+ of \d+ reviews match\. /);
    assert.equal(await say({ query: 'xyzzy' }), `None of the ${all} reviews matches.`);
  });

  test('an address that names tools offers those alone', async () => {
    const doorOf = (query: string) => ({
      fetch: (_: string, init?: RequestOptions) => target.fetch(`/mcp?tools=${query}`, init),
    });
    const small = doorOf('search,fetch');
    const { tools } = await ask(small, 'tools/list');
    assert.deepEqual(eachOf(tools, 'name'), ['search', 'fetch']);
    await answerOf(small, 'search', { query: 'price' });
    const { body } = await post(small, request('tools/call', { name: 'get_summary' }));
    assert.equal(body!.error!.message, 'Unknown tool; there are search, fetch');
    assert.equal((await post(doorOf('serch'), request('tools/list'))).status, 400);
  });

  test('list_insights lists each kind, most reviews first, with ids that the tools take', async () => {
    const { aspects, entities, topics, faq } = await digest();
    const { technicians, services, problems, service_areas } = entities;
    const kinds = { aspects, technicians, services, problems, service_areas, topics, faq };
    for (const [kind, entries] of Object.entries(kinds)) {
      const { items } = await answerOf(target, 'list_insights', { kind });
      const ids = eachOf(items, 'id');
      assert.deepEqual(ids.toSorted(), eachOf(entries, 'id').toSorted(), kind);
      const counts = eachOf(items, 'review_count');
      const descending = counts.toSorted((a, b) => b - a);
      assert.deepEqual(counts, descending, kind);
      if (kind !== 'problems' && kind !== 'service_areas') continue;
      const filter = kind === 'problems' ? 'mentions_problem' : 'mentions_area';
      const { matched } = await answerOf(target, 'search_reviews', { [filter]: ids[0], limit: 1 });
      assert.equal(matched, counts[0], kind);
    }
  });

  test('get_faq answers all, or those in which every word occurs', async () => {
    const { faq } = await digest();
    assert.deepEqual(await answerOf(target, 'get_faq'), { faq });
    const words = faq[0]!.question.replace(/[?,.]/g, '').toUpperCase();
    const found = await answerOf(target, 'get_faq', { query: ` ${words}  ` });
    assert.ok(eachOf(found.faq, 'id').includes(faq[0]!.id));
    assert.ok(found.faq.length < faq.length);
    assert.deepEqual(await answerOf(target, 'get_faq', { query: faq[1]!.id }), { faq: [faq[1]] });
  });

  test('count_reviews answers groups that a model can take in, or how to ask for fewer', async () => {
    const { error, message } = await toolErrorOf(target, 'count_reviews', {
      group_by: ['month', 'aspect'],
    });
    assert.equal(error, 'too_many_groups');
    const fewer = /^These would be \d+ groups; an answer has at most 250\. Use a longer period/;
    assert.match(message, fewer);
    const args = { group_by: ['aspect', 'service'], examples: 2 };
    const call = request('tools/call', { name: 'count_reviews', arguments: args });
    const { body } = await post(target, call);
    assert.ok(body!.result.structuredContent.groups.length > 150);
    assert.ok(Buffer.byteLength(JSON.stringify(body)) < COUNT_MAX);
  });

  test('what_changed counts and lists the changes after a day or a number', async () => {
    const { head, changes, complete, next } = await target.json<ChangesDocument>('/changes.json');
    const all = await answerOf(target, 'what_changed');
    assert.deepEqual([all.head, all.complete, 'older' in all], [head, complete && !next, !!next]);
    assert.equal(all.known_from, changes.at(-1)?.at ?? null);
    assert.equal(all.changes.length, Math.min(100, changes.length));
    const middle = changes[Math.floor(changes.length / 2)];
    const after = await answerOf(target, 'what_changed', { after: middle?.seq ?? 0 });
    const newer = changes.filter(({ seq }) => seq > (middle?.seq ?? 0));
    assert.deepEqual(eachOf(after.changes, 'seq'), eachOf(newer.slice(0, 100), 'seq'));
    const counted = Object.values<number>(after.counts).reduce((sum, count) => sum + count, 0);
    assert.equal(counted, newer.length);
    const day = middle?.at.slice(0, 10) ?? '2026-01-01';
    const since = await answerOf(target, 'what_changed', { since: day });
    for (const { at } of since.changes) assert.ok(at.slice(0, 10) >= day);
    const later = await answerOf(target, 'what_changed', { since: '2999-01-01' });
    assert.deepEqual([later.changes, later.reviews], [[], []]);
    for (const { id, url } of all.changes) assert.ok(url.endsWith(`/reviews/${id}/`));
    const unknown = await toolErrorOf(target, 'what_changed', { after: head.seq + 1 });
    assert.equal(unknown.error, 'unknown_change');
  });

  test('every quote has the date, stars, source and author of its review', async () => {
    const { reviews } = await target.dataset();
    const byId = new Map(reviews.map((review) => [review.id, review]));
    const summary = await answerOf(target, 'get_summary');
    const highlights = [...summary.praised, ...summary.criticized];
    const quotes = [
      summary.pull_quote,
      ...highlights.flatMap(({ quotes }) => quotes),
      ...(await answerOf(target, 'get_insight', { name: 'price' })).insight.examples,
      ...(await answerOf(target, 'get_insight', { name: 'Priya' })).insight.quotes,
      ...eachOf((await answerOf(target, 'get_faq')).faq, 'quotes').flat(),
    ];
    assert.ok(quotes.length > highlights.length);
    for (const { review_id, url, date, rating, source, author } of quotes) {
      const review = byId.get(review_id)!;
      const own = [review.url, review.date, review.rating, review.source, review.author];
      assert.deepEqual([url, date, rating, source, author], own);
    }
  });

  test('get_summary answers the digest of all reviews', async () => {
    const { summary, overall_sentiment, pull_quote, review_count, date_range, model, coverage } =
      await digest();
    const answer = await answerOf(target, 'get_summary');
    const { generated_at, rating, trend, praised, criticized, say, ...rest } = answer;
    assert.match(say, /^\d+ reviews give \d\.\d\d? of 5 stars on average; the newest is of \w+ /);
    assert.match(generated_at, /^\d{4}-/);
    const { aggregate_rating: all } = await target.dataset();
    const { rating_value, distribution } = all;
    assert.deepEqual(rating, { rating_value, distribution });
    assert.equal(trend.trend, (await digest()).temporal.trend);
    assert.ok(praised.length > 0 && criticized.length > 0);
    assert.deepEqual(rest, {
      read_count: coverage.read_count,
      summary,
      overall_sentiment,
      pull_quote,
      review_count,
      date_range,
      model,
    });
  });

  test('invalid arguments of a search have the messages of the HTTP search', async () => {
    for (const filters of [
      { rating: 0 },
      { rating: 9, min_rating: 0.5, limit: 101 },
      { since: '2026-02-30', until: 'May' },
      { query: 'x'.repeat(2001), mentions_service: 'x'.repeat(201) },
      { sort: 'best', has_reply: 'perhaps', sentiment: 'good', cursor: 'x' },
    ]) {
      const texts = Object.entries(filters).map(([name, value]) => [name, String(value)]);
      const path = `/api/reviews/search?${queryString(Object.fromEntries(texts))}`;
      const response = await target.fetch(path);
      assert.equal(response.status, 400);
      const { error, issues } = (await response.json()) as { error: string; issues: unknown };
      const toolError = await toolErrorOf(target, 'search_reviews', filters);
      assert.deepEqual([toolError.error, toolError.issues], [error, issues]);
    }
  });

  test('arguments of the wrong type are taken where it is clear what they mean', async () => {
    for (const [given, meant] of [
      [
        { group_by: 'month', rating: '5', has_reply: 'true' },
        { group_by: ['month'], rating: 5, has_reply: true },
      ],
      [{ group_by: 'year, rating' }, { group_by: ['year', 'rating'] }],
      [{ rating: null, query: null }, {}],
      [
        { query: 24, examples: '1' },
        { query: '24', examples: 1 },
      ],
    ]) {
      const expected = await answerOf(target, 'count_reviews', meant);
      assert.deepEqual(await answerOf(target, 'count_reviews', given), expected);
    }
    const { issues } = await toolErrorOf(target, 'count_reviews', { group_by: 'moon' });
    const listed = /^group_by must be a list of one or two different ones of year, /;
    assert.match(issues[0].message, listed);
  });

  test('an unknown argument is ignored and named, one that resembles a known one is refused', async () => {
    const injected = { toolCallId: 'a', sessionId: 'b', action: 'c', chatInput: 'd' };
    for (const [name, args] of NAMES.map((name) => [name, ARGUMENTS[name] ?? {}] as const)) {
      const answer = await answerOf(target, name, { ...args, ...injected });
      const { ignored_arguments: ignored, ...rest } = answer;
      assert.deepEqual(ignored, ['action', 'chatInput', 'sessionId', 'toolCallId'], name);
      assert.deepEqual(rest, await answerOf(target, name, args), name);
    }
    for (const [name, given, nearest] of [
      ['search_reviews', 'min_stars', 'min_rating'],
      ['search_reviews', 'keyword', 'query'],
      ['count_reviews', 'date_from', 'since'],
      ['get_faq', 'question', 'query'],
      ['what_changed', 'start_date', 'since'],
    ] as const) {
      const { error, issues } = await toolErrorOf(target, name, { [given]: '4' });
      assert.equal(error, 'invalid_parameters');
      const message = `${given} is unknown: ${nearest} may be meant`;
      assert.deepEqual(issues, [{ path: [given], code: 'unknown_argument', message }]);
    }
  });

  test('arguments may be JSON in text', async () => {
    const { structuredContent } = await ask(target, 'tools/call', {
      name: 'count_reviews',
      arguments: '{"rating":"5","group_by":"[\\"month\\"]"}',
    });
    const meant = await answerOf(target, 'count_reviews', { rating: 5, group_by: ['month'] });
    assert.deepEqual(withoutMarks(structuredContent), meant);
  });

  test('a required argument left out, or out of its bounds, is named', async () => {
    for (const [name, args, argument] of [
      ['get_review', {}, 'id'],
      ['get_insight', { name: '' }, 'name'],
      ['get_insight', { name: 'x'.repeat(201) }, 'name'],
      ['get_insight', { name: 'price', kind: 'everything' }, 'kind'],
      ['list_insights', { kind: 'everything' }, 'kind'],
      ['get_insight', {}, 'name'],
      ['what_changed', { after: -1 }, 'after'],
      ['what_changed', { since: 'yesterday' }, 'since'],
    ] as const) {
      const { issues } = await toolErrorOf(target, name, args);
      assert.deepEqual([issues.length, issues[0].path], [1, [argument]]);
      assert.ok(issues[0].message.startsWith(`${argument} must be `), issues[0].message);
    }
  });

  test('an unknown name gets suggestions', async () => {
    const { aspects, entities, topics } = await digest();
    for (const [kind, entries] of [
      ['aspect', aspects],
      ['technician', entities.technicians],
      ['service', entities.services],
      ['topic', topics],
    ] as const) {
      const [{ id, label }] = entries as unknown as [{ id: string; label: string }];
      const slip = `${label} qqqq`;
      const toolError = await toolErrorOf(target, 'get_insight', { name: slip, kind });
      assert.equal(toolError.error, 'unknown_insight');
      assert.deepEqual(toolError.suggestions[0], { id, label });
      const nonsense = await toolErrorOf(target, 'get_insight', { name: 'qqqqqqqqqqqq' });
      assert.deepEqual(nonsense.suggestions, []);
    }
  });

  test('an unknown review gets the newest ids', async () => {
    const { reviews } = await target.dataset();
    const { id } = reviews[42]!;
    const slip = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
    const toolError = await toolErrorOf(target, 'get_review', { id: slip });
    assert.equal(toolError.error, 'unknown_review');
    assert.deepEqual(toolError.known_ids, eachOf(reviews.slice(0, 20), 'id'));
  });
});
