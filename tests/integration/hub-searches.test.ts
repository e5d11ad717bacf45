import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { HubFullError } from '../../sidecar/hub/store/room.ts';
import { SEARCH_TOPICS } from '../../sidecar/hub/topic-files.ts';
import { strongETag } from '../../src/edition/etag.ts';
import { searchAnswer } from '../../src/search/result.ts';
import { parseSearchParameters } from '../../src/search/parameters.ts';
import { forEachEngine } from '../support/engines.ts';
import { openTestHub } from '../support/hub.ts';
import { review, ulidOf } from '../support/reviews.ts';
import { SITE, topicEdition } from '../support/topic-edition.ts';

const CRITICAL = `${SITE}/api/reviews/search?max_rating=2&limit=5`;
const PRAISE = `${SITE}/api/reviews/search?min_rating=4`;

/** An edition with reviews of these stars, and another time for each number of them. */
function editionOf(...stars: number[]) {
  const reviews = stars.map((rating, at) => review({ id: ulidOf(at), rating })).toReversed();
  const time = `2026-01-01T00:00:${String(stars.length).padStart(2, '0')}Z`;
  return topicEdition(stars.join(), { reviews, time });
}

forEachEngine((engine) => {
  test('a search is pushed when its answer changes, and only then', async (context) => {
    const { subscribe, change, news, deliveries, callbacks } = await openTestHub(context, engine);
    await change(editionOf(5, 2));
    await subscribe('/critical', { 'hub.topic': CRITICAL, 'hub.secret': 'sesame' });
    await subscribe('/praise', { 'hub.topic': PRAISE });
    assert.deepEqual(news(), ['GET subscribe /critical', 'GET subscribe /praise']);
    const asked = new URL(callbacks.requests[0]!.path, SITE).searchParams;
    assert.equal(asked.get('hub.topic'), CRITICAL);

    await change(editionOf(5, 2, 5));
    assert.deepEqual(news(), ['POST /praise']);
    await change(editionOf(5, 2, 5, 1));
    assert.deepEqual(news(), ['POST /critical']);

    const [{ headers, body }] = deliveries('/critical') as [ReturnType<typeof deliveries>[0]];
    const { matched, reviews } = JSON.parse(body.toString());
    assert.equal(matched, 2);
    assert.deepEqual(
      reviews.map(({ rating }: { rating: number }) => rating),
      [1, 2],
    );
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers.link, `<${CRITICAL}>; rel="self", <${SITE}/api/websub/hub>; rel="hub"`);
    assert.ok(String(headers['x-hub-signature']).startsWith('sha256='));
    assert.equal(headers.etag, strongETag(body));
  });

  test('two ways to ask the same are two topics, each named in its pushes', async (context) => {
    const { subscribe, change, deliveries } = await openTestHub(context, engine);
    const same = `${PRAISE}&sort=newest`;
    await subscribe('/one', { 'hub.topic': PRAISE });
    await subscribe('/other', { 'hub.topic': same });
    await change(editionOf(5));
    const [one, other] = ['/one', '/other'].map((path) => deliveries(path)[0]!.headers);
    assert.equal(one!.etag, other!.etag);
    assert.match(String(one!.link), /min_rating=4>; rel="self"/);
    assert.match(String(other!.link), /min_rating=4&sort=newest>; rel="self"/);
  });

  test('a search is pushed as the search answers it', async (context) => {
    const { subscribe, change, deliveries } = await openTestHub(context, engine);
    await subscribe('/praise', { 'hub.topic': PRAISE });
    const edition = editionOf(4, 1, 5);
    await change(edition);
    const parsed = parseSearchParameters(new URL(PRAISE).searchParams);
    assert.ok('filters' in parsed);
    const { search } = edition;
    const answer = searchAnswer(search.lines, parsed.filters, search.search(parsed.filters), []);
    const body = Buffer.from(answer);
    assert.deepEqual(deliveries('/praise')[0]!.body, body);
  });

  test('a subscriber that states what it has catches up on a search', async (context) => {
    const { subscribe, change, news, deliveries } = await openTestHub(context, engine);
    await subscribe('/praise', { 'hub.topic': PRAISE });
    await change(editionOf(5));
    const has = deliveries('/praise')[0]!.headers.etag as string;
    news();
    await subscribe('/up-to-date', { 'hub.topic': PRAISE, 'hub.etag': has });
    assert.deepEqual(news(), ['GET subscribe /up-to-date']);
    await subscribe('/behind', { 'hub.topic': PRAISE, 'hub.etag': strongETag('another') });
    assert.deepEqual(news(), ['GET subscribe /behind', 'POST /behind']);
  });

  test('one who subscribes to a search that changed unseen is not sent the change', async (context) => {
    const { subscribe, change, news, pass } = await openTestHub(context, engine);
    await subscribe('/first', { 'hub.topic': PRAISE });
    await subscribe('/first', { 'hub.topic': PRAISE, 'hub.mode': 'unsubscribe' });
    await change(editionOf(5));
    news();
    await subscribe('/second', { 'hub.topic': PRAISE });
    await pass(1);
    assert.deepEqual(news(), ['GET subscribe /second']);
    await change(editionOf(5, 4));
    assert.deepEqual(news(), ['POST /second']);
  });

  test('the hub takes a limited number of searches, and forgets those nobody has', async (context) => {
    const { hub, send, store, callbacks, pass } = await openTestHub(context, engine);
    const urlOf = (number: number) => `${SITE}/api/reviews/search?query=${number}`;
    const ask = (number: number, path: string) =>
      send({
        'hub.mode': 'subscribe',
        'hub.topic': urlOf(number),
        'hub.callback': callbacks.url(path),
      });
    const known = async () => (await store.db.selectFrom('topic').select('url').execute()).length;
    const others = await known();
    await hub.drain(); // nothing is verified: the requests stay
    await ask(0, '/a');
    const urls = Array.from({ length: SEARCH_TOPICS - 1 }, (_, at) => ({ url: urlOf(at + 1) }));
    await store.db.insertInto('topic').values(urls).execute();
    await sql`insert into intent (topic_id, callback, host, mode, lease_seconds, version)
      select id, 'https://127.0.0.1/', '127.0.0.1', 'subscribe', 300, 0 from topic
      where url like '%query=%' and id not in (select topic_id from intent)`.execute(store.db);
    await assert.rejects(ask(SEARCH_TOPICS, '/a'), HubFullError);
    await ask(0, '/b');
    assert.equal(await known(), others + SEARCH_TOPICS);

    await store.db.deleteFrom('intent').execute();
    await ask(SEARCH_TOPICS, '/a');
    const offer = () => openTestHub(context, { open: async () => store });
    await pass(60);
    await offer();
    assert.equal(await known(), others + 2, 'one that was asked for lately stays');
    await pass(2 * 3600);
    await offer();
    assert.equal(await known(), others + 1);
  });
});
