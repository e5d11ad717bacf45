import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorBody } from '../../src/schema/error.ts';
import { sampleApp } from '../support/targets.ts';

// Not in the spec suite, because a proxy rejects such a path before the sidecar sees it.

test('a date that cannot be decoded is refused like any other that is none', async () => {
  const app = await sampleApp();
  for (const date of ['%', '%zz', '%E0%A4%A', '2026-01-0%', '2026-02-30']) {
    const answer = await app.request(`/api/reviews/since/${date}`);
    assert.equal(answer.status, 400, date);
    const { issues } = errorBody.parse(await answer.json());
    assert.deepEqual(
      issues?.map(({ path, code }) => [path, code]),
      [[['date'], 'invalid_date']],
    );
  }
});
