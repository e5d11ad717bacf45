import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { listingsIn } from '../../src/owner/commands/sync.ts';
import { syncPlatform } from '../../src/owner/sync/sync.ts';
import { lockDataset } from '../../src/owner/locked-dataset.ts';
import { importRecord } from '../../src/schema/provenance.ts';
import { emptyDataset, NOW } from '../support/import.ts';
import {
  SECOND_LOCATION,
  SECRETS,
  startReviewApis,
  SYNC_ENV,
  type Answer,
  type ApiReview,
} from '../support/review-apis.ts';

type Platform = 'google' | 'trustpilot';

/** The APIs of platforms, an empty dataset, and a sync of one into the other. */
async function setUp(context: TestContext, platform: Platform = 'google', env = {}) {
  const apis = await startReviewApis(context);
  const dataset = await emptyDataset(context);
  const run = (options: { withdraw?: boolean; now?: string } = {}) => {
    const listings = listingsIn({ ...SYNC_ENV, ...env }).filter(
      (listing) => listing.platform.toLowerCase() === platform,
    );
    return syncPlatform(listings, { contentDir: dataset.folder, now: NOW, ...options });
  };
  /** Numbers of reviews by what became of them. */
  const sync = async (options: { withdraw?: boolean } = {}): Promise<string> =>
    Object.entries((await run(options))!.counts)
      .filter(([, count]) => count > 0)
      .map(([outcome, count]) => `${count} ${outcome}`)
      .join(', ');
  return { apis, dataset, run, sync };
}

/** Reviews from the first of January 2024 on, one an hour. */
function reviewsOf(count: number): ApiReview[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `r${String(index).padStart(4, '0')}`,
    stars: 1 + (index % 5),
    text: `Review number ${index}, which is long enough to be about something.`,
    created: new Date(Date.UTC(2024, 0, 1, index)).toISOString(),
  }));
}

for (const platform of ['google', 'trustpilot'] as const) {
  test(`${platform}: reads every page`, async (context) => {
    const { apis, dataset, sync } = await setUp(context, platform);
    apis[platform] = reviewsOf(120);
    assert.equal(await sync(), '120 added');
    const records = await dataset.records();
    assert.equal(new Set(records.map(({ source_id }) => source_id)).size, 120);
    assert.ok(records.every(({ source }) => source === platform));
    apis[platform].push({ ...reviewsOf(1)[0]!, id: 'new', created: '2024-06-01T00:00:00Z' });
    assert.equal(await sync(), '1 added, 120 unchanged');
  });

  test(`${platform}: a sync without news changes no byte`, async (context) => {
    const { apis, dataset, run } = await setUp(context, platform);
    apis[platform] = reviewsOf(3);
    await run();
    const before = await dataset.files();
    const result = await run({ now: '2026-04-01T00:00:00Z' });
    assert.deepEqual(result!.written, []);
    assert.deepEqual(await dataset.files(), before);
  });

  test(`${platform}: brings an edit and a reply`, async (context) => {
    const { apis, dataset, sync } = await setUp(context, platform);
    apis[platform] = reviewsOf(60);
    await sync();
    const edited = apis[platform].at(-2)!;
    edited.text = 'Other words, after they had come back and repaired it.';
    edited.stars = 5;
    edited.updated = '2024-07-01T10:00:00Z';
    edited.reply = { text: 'Thank you!', at: '2024-07-02T10:00:00Z' };
    assert.match(await sync(), /^1 changed, \d+ unchanged$/);
    const record = (await dataset.records()).find(({ source_id }) => source_id === edited.id)!;
    assert.deepEqual(
      [record.text, record.rating, record.owner_reply, record.updated_at],
      [edited.text, 5, { text: 'Thank you!', date: '2024-07-02' }, '2024-07-02T10:00:00Z'],
    );
  });

  test(`${platform}: counts deletions, and withdraws them when told`, async (context) => {
    const { apis, dataset, run, sync } = await setUp(context, platform);
    apis[platform] = [];
    assert.equal(await run(), undefined);
    apis[platform] = reviewsOf(130);
    await sync();
    const [gone] = apis[platform].splice(4, 1);
    assert.equal(await sync(), '129 unchanged, 1 vanished');
    assert.equal(await sync({ withdraw: true }), '129 unchanged, 1 withdrawn');
    assert.match((await dataset.files())['withdrawn.jsonl']!, new RegExp(gone!.id));
    // It is no news when the platform shows it again.
    apis[platform].push(gone!);
    assert.match(await sync(), /unchanged, 1 skipped$/);
    // Nothing is withdrawn when there is nothing at all.
    apis[platform] = [];
    await assert.rejects(run({ withdraw: true }), /returns none of the reviews that .*\.json had/);
    assert.equal((await dataset.records()).length, 129);
  });
}

test('one location never withdraws the reviews of another', async (context) => {
  const env = { GOOGLE_LOCATIONS: `${SYNC_ENV.GOOGLE_LOCATIONS}, ${SECOND_LOCATION}` };
  const { apis, dataset, sync } = await setUp(context, 'google', env);
  const [first, second, third] = reviewsOf(3) as [ApiReview, ApiReview, ApiReview];
  apis.google = [first, third];
  apis.second = [second];
  assert.equal(await sync({ withdraw: true }), '3 added');
  apis.google = [first];
  assert.equal(await sync({ withdraw: true }), '2 unchanged, 1 withdrawn');
  apis.second = [];
  await assert.rejects(sync({ withdraw: true }), /none of the reviews that google-78\.json had/);
  assert.equal((await dataset.records()).length, 2);
});

test('waits as long as 429 asks, but not for hours', async (context) => {
  const { apis, sync } = await setUp(context);
  apis.google = reviewsOf(2);
  apis.interruptions.push({ status: 429, headers: { 'retry-after': '1' }, body: '{}' });
  assert.equal(await sync(), '2 added');
  const [first, second] = apis.times.slice(-2);
  assert.ok(second! - first! >= 990, `${second! - first!} ms`);
  apis.interruptions.push({ status: 429, headers: { 'retry-after': '7200' }, body: '{}' });
  await assert.rejects(sync(), /answered 429: asks to wait 120 minutes: try again later/);
});

const UNAVAILABLE = { status: 503, headers: { 'retry-after': '0' }, body: 'Overloaded' };

test('tries again after 5xx, but not for ever', async (context) => {
  const { apis, sync } = await setUp(context);
  apis.google = reviewsOf(2);
  apis.interruptions.push(UNAVAILABLE, { ...UNAVAILABLE, status: 500 });
  assert.equal(await sync(), '2 added');
  apis.interruptions.push(...Array.from({ length: 20 }, () => UNAVAILABLE));
  await assert.rejects(sync(), /answered 503/);
  assert.equal(apis.interruptions.length, 15, 'five attempts');
});

const FAILURES: [what: string, answers: Partial<Answer>[], message: RegExp][] = [
  ['an error that stays', Array.from({ length: 5 }, () => UNAVAILABLE), /answered 503/],
  ['broken JSON', [{ body: '{"reviews": [{"id":' }], /answered with broken JSON/],
  ['another shape', [{ body: '{"reviews": {"id": 1}}' }], /not as documented: reviews: /],
];
for (const [what, answers, message] of FAILURES) {
  test(`writes nothing at ${what}`, async (context) => {
    const { apis, dataset, sync } = await setUp(context);
    apis.google = reviewsOf(60);
    await sync();
    const before = await dataset.files();
    apis.google[0]!.text = 'Edited, so that a second page is read in full.';
    for (const answer of answers) apis.interruptions.push({ status: 200, body: '', ...answer });
    await assert.rejects(sync(), message);
    assert.deepEqual(await dataset.files(), before);
  });
}

test('names the host that cannot be reached', async (context) => {
  const { sync } = await setUp(context);
  globalThis.fetch = () =>
    Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }));
  await assert.rejects(sync(), /cannot be reached: connect ECONN/);
});

test('renews an access token that expires while pages are read', async (context) => {
  const { apis, sync } = await setUp(context);
  apis.google = reviewsOf(120);
  apis.before = (pages) => pages === 2 && apis.expireTokens();
  assert.equal(await sync(), '120 added');
  assert.equal(apis.requests.filter((line) => line.startsWith('POST /token')).length, 2);
});

const REFUSALS: Record<string, [env: Record<string, string>, message: RegExp]> = {
  'a refresh token that was revoked': [
    { GOOGLE_REFRESH_TOKEN: '1//S3CRET-revoked' },
    /Google answered 400: invalid_grant: GOOGLE_REFRESH_TOKEN has expired/,
  ],
  'a wrong client secret': [
    { GOOGLE_CLIENT_SECRET: 'S3CRET-wrong' },
    /Google answered 401: invalid_client: check GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET/,
  ],
  'a location that does not exist': [
    { GOOGLE_LOCATIONS: 'accounts/1/locations/2' },
    /Google answered 404: .*check GOOGLE_LOCATIONS/,
  ],
  'a wrong API key, even when the answer repeats it': [
    { TRUSTPILOT_API_KEY: 'S3CRET-wrong-key' },
    /Trustpilot answered 401: Unknown apikey \[secret\]: check TRUSTPILOT_API_KEY/,
  ],
};
for (const [what, [env, message]] of Object.entries(REFUSALS)) {
  test(`names what to do about ${what}, without a secret`, async (context) => {
    const platform = 'TRUSTPILOT_API_KEY' in env ? 'trustpilot' : 'google';
    const { apis, dataset, sync } = await setUp(context, platform, env);
    await assert.rejects(sync(), (error: Error) => isSafe(error, message));
    assert.deepEqual(await dataset.records(), []);
    assert.equal(apis.requests.length, 'GOOGLE_LOCATIONS' in env ? 2 : 1);
  });
}

test('keeps an access token out of the error that repeats it', async (context) => {
  const { apis, sync } = await setUp(context);
  apis.google = reviewsOf(2);
  apis.before = () => apis.expireTokens();
  const message = /invalid authentication credentials: \[secret\]: authorize again/;
  await assert.rejects(sync(), (error: Error) => isSafe(error, message));
});

/** Asserts that nothing a log could show of an error has a secret, in hidden fields and causes too. */
function isSafe(error: Error, message: RegExp): boolean {
  assert.match(error.message, message);
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    assert.doesNotMatch(String(each.stack) + JSON.stringify({ ...each }), /S3CRET/);
  }
  return true;
}

const KEY = 'S3CRET/key+with "marks"';
const ENCODINGS: Record<string, string> = {
  'as it is': KEY,
  'for a URL': encodeURIComponent(KEY),
  'for a URL, twice': encodeURIComponent(encodeURIComponent(KEY)),
  'for JSON': JSON.stringify(KEY).replaceAll('/', '\\/'),
  'for JSON, as code points': KEY.replaceAll(/./g, (each) => `\\u00${hexOf(each)}`),
  'for HTML': KEY.replaceAll(/\W/g, (each) => `&#x${hexOf(each)};`),
  'in hex': hexOf(KEY),
  'in base64': btoa(KEY),
  'in base64 after a name': btoa(`u:${KEY}`),
  'in base64 between names': btoa(`user:${KEY}:1`),
  'in base64 for URLs': Buffer.from(`id:${KEY}`).toString('base64url'),
};
test('keeps a key out of an error that repeats it, however encoded, also where it is cut', async (context) => {
  const { apis, sync } = await setUp(context, 'trustpilot', { TRUSTPILOT_API_KEY: KEY });
  for (const [name, encoded] of Object.entries(ENCODINGS)) {
    for (const before of ['', 'x'.repeat(185)]) {
      const message = `${before} ${encoded}`;
      apis.interruptions.push({ status: 400, body: JSON.stringify({ message }) });
      await assert.rejects(sync(), (error: Error) => {
        assert.match(error.message, /\[secret/, name);
        for (let start = 0; start + 8 <= KEY.length; start++) {
          assert.ok(!error.message.includes(KEY.slice(start, start + 8)), name);
        }
        assert.ok(!error.message.includes(encoded.slice(4, 20)), name);
        return true;
      });
    }
  }
});

function hexOf(text: string): string {
  return Buffer.from(text).toString('hex');
}

test('no words of an API begin a line', async (context) => {
  const { apis, sync } = await setUp(context, 'trustpilot');
  const message = 'Sorry.\n::add-mask::x\r\u2028::error::forged';
  apis.interruptions.push({ status: 400, body: JSON.stringify({ message }) });
  await assert.rejects(sync(), {
    message: 'Trustpilot answered 400: Sorry. ::add-mask::x ::error::forged',
  });
});

test('ends when pages come round again, but goes on after one without reviews', async (context) => {
  const { apis, sync } = await setUp(context, 'trustpilot');
  apis.trustpilot = reviewsOf(60);
  const page = (nextPageToken: string) => ({
    status: 200,
    body: JSON.stringify({ reviews: [], nextPageToken }),
  });
  apis.interruptions.push(...['a', 'b', 'a'].map(page));
  await assert.rejects(sync(), /returned the same page again/);
  apis.interruptions.push(page('0'));
  assert.equal(await sync(), '60 added');
});

test('keeps no other command out while it waits for an API, and runs beside none', async (context) => {
  const { apis, dataset, sync } = await setUp(context);
  apis.google = reviewsOf(60);
  const lock = lockDataset(dataset.folder);
  await assert.rejects(sync(), /another import or sync is running/);
  await assert.rejects(dataset.run(['yelp.json']), /another import or sync is running/);
  assert.deepEqual(apis.requests, []);
  lock.replace('business.json', await readFile(join(dataset.folder, 'business.json'), 'utf8'));
  assert.deepEqual(lock.commit(), [], 'what stays is not written');
  lock[Symbol.dispose]();
  let locked = 0;
  apis.before = () => {
    using _ = lockDataset(dataset.folder);
    locked++;
  };
  assert.equal(await sync(), '60 added');
  assert.equal(locked, 2);
});

test('leaves no full name behind, and records the listing and the number that the platform states', async (context) => {
  const { apis, dataset, run } = await setUp(context);
  apis.google = reviewsOf(60);
  await dataset.edit('business.json', (text) => text.replace('{', '{"author_display":"initials",'));
  await run();
  assert.equal((await dataset.records())[0]!.author, 'C. R.');
  const files = await dataset.files();
  assert.doesNotMatch(JSON.stringify(files), /Customer/);
  const record = importRecord.parse(JSON.parse(files['imports.jsonl']!));
  assert.deepEqual(
    [record.file, record.format, record.rows, record.platform_total],
    ['google-77.json', 'JSON, Google Business Profile (Takeout or API)', 60, 60],
  );
});

const SETTINGS: [env: Record<string, string>, message: RegExp][] = [
  [{}, /^set GOOGLE_LOCATIONS, .*; or TRUSTPILOT_BUSINESS_UNIT_ID, TRUSTPILOT_API_KEY$/],
  [
    { GOOGLE_LOCATIONS: 'accounts/1/locations/2', GOOGLE_CLIENT_SECRET: SECRETS.clientSecret },
    /^Google: also set GOOGLE_CLIENT_ID, GOOGLE_REFRESH_TOKEN$/,
  ],
  [{ ...SYNC_ENV, GOOGLE_LOCATIONS: 'My shop' }, /^GOOGLE_LOCATIONS: must be accounts/],
  [{ ...SYNC_ENV, GOOGLE_LOCATIONS: 'accounts/1/locations/2?x' }, /^GOOGLE_LOCATIONS: must be/],
  [{ ...SYNC_ENV, TRUSTPILOT_BUSINESS_UNIT_ID: 'shop.example' }, /must be the id, not the name/],
];
for (const [env, message] of SETTINGS) {
  test(`asks for settings: ${message.source}`, () => {
    assert.throws(() => listingsIn(env), { message });
  });
}
