import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { errorBody } from '../../src/schema/error.ts';
import { sinceResult } from '../../src/schema/dataset.ts';
import { bytesOf } from '../support/http.ts';
import { eachOf } from '../support/mcp.ts';
import { forEachTarget, sampleApp, type Target } from '../support/targets.ts';

// Contract, section 4.6. Days with and without a file get the same kind of response.

const since = (day: string) => `/api/reviews/since/${day}`;

forEachTarget((target) => {
  test('lists the reviews on or after the day, whatever the day', async () => {
    const { reviews } = await target.dataset();
    for (const day of await days(target)) {
      const result = sinceResult.parse(await target.json(since(day)));
      const expected = reviews.filter(({ date }) => date >= day);
      assert.deepEqual(result, { reviews: expected, count: expected.length, since: day });
    }
  });

  test('the ETag of every day is the digest of its bytes', async () => {
    for (const day of await days(target)) {
      const response = await target.fetch(since(day), {
        headers: { 'accept-encoding': 'identity' },
      });
      const digest = createHash('sha256')
        .update(await bytesOf(response))
        .digest('base64url');
      assert.equal(response.headers.get('etag'), `"${digest}"`, day);
    }
  });

  test('every day has the Last-Modified and the headers of the others', async () => {
    const described = async (day: string) => {
      const { headers } = await target.fetch(since(day));
      return ['content-type', 'last-modified', 'cache-control', 'access-control-allow-origin'].map(
        (name) => headers.get(name),
      );
    };
    const [first, ...others] = await days(target);
    const expected = await described(first!);
    assert.ok(expected.every((value) => value !== null));
    for (const day of others) assert.deepEqual(await described(day), expected, day);
  });

  test('refuses what is not a calendar day, naming the date', async () => {
    for (const text of ['yesterday', '2026-1-1', '2026-01-01%20', '2026-02-30']) {
      const headers = { 'if-none-match': '*' };
      await assertInvalid(await target.fetch(since(text), { headers }), text);
    }
  });
});

// Not for every target, because a proxy rejects such a path before the sidecar sees it.
test('a date that cannot be decoded is refused like any other that is none', async () => {
  const app = await sampleApp();
  for (const text of ['%', '%zz', '%E0%A4%A', '2026-01-0%']) {
    await assertInvalid(await app.request(since(text)), text);
  }
});

async function assertInvalid(response: Response, text: string): Promise<void> {
  assert.equal(response.status, 400, text);
  const { issues } = errorBody.parse(await response.json());
  assert.deepEqual(eachOf(issues!, 'path'), [['date']]);
  assert.equal(issues![0]!.code, 'invalid_date');
}

/**
 * Returns days with and without a file, at every edge of the files, the reviews and the calendar.
 */
async function days(target: Target): Promise<string[]> {
  const { since: window } = await target.manifest();
  const { earliest, latest } = (await target.dataset()).coverage;
  const edges = window ? [window.from, shift(window.from, -1), window.to, shift(window.to, 1)] : [];
  return [
    latest!,
    ...edges,
    shift(latest!, 1),
    earliest!,
    shift(earliest!, -1),
    '1970-01-01',
    '2024-02-29',
    '9999-12-31',
  ];
}

function shift(day: string, by: number): string {
  return new Date(Date.parse(day) + by * 86_400_000).toISOString().slice(0, 10);
}
