import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, statedHeaders } from '../support/http.ts';
import { forEachTarget, readPaths, type Target } from '../support/targets.ts';

// Contract, section 5: everything is public, and an Authorization header is ignored.

const NONSENSE = ['Bearer abc', 'Basic !!!', ', ,', 'x'.repeat(4000)];

forEachTarget((target) => {
  test('an Authorization header changes nothing of any answer', async () => {
    const refused = ['/api/reviews/search?rating=9', '/api/nothing', '/nothing'];
    for (const path of [...(await readPaths(target)), ...refused]) {
      const expected = await answerOf(target, path, {});
      for (const authorization of NONSENSE) {
        const answer = await answerOf(target, path, { authorization });
        assert.deepEqual(answer, expected, `${path} ${authorization.slice(0, 20)}`);
      }
    }
  });

  test('no answer asks for credentials or sets a cookie', async () => {
    for (const path of await readPaths(target)) {
      const { headers, status } = await target.fetch(path);
      assert.equal(status, 200, path);
      assert.equal(headers.get('www-authenticate'), null, path);
      assert.equal(headers.get('set-cookie'), null, path);
    }
  });
});

async function answerOf(target: Target, path: string, headers: Record<string, string>) {
  const response = await target.fetch(path, { headers });
  const body = (await bytesOf(response)).toString('latin1');
  return { status: response.status, headers: statedHeaders(response), body };
}
