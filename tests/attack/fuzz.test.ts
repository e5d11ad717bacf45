import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzRun } from '../fuzz/fuzz-run.ts';

const COUNT = 1_000;
/** They show that the requests reach the code they are meant for. */
const STATUSES = [200, 400, 404, 405, 413, 431];

// The short form; `npm run fuzz` sends more, and repeats one.
test(`${COUNT} malformed requests beside slow clients: no crash, no 5xx, no hang`, async () => {
  const plan = { seed: 1, from: 0, count: COUNT, slow: true };
  const { failures, statuses, answers } = await fuzzRun(plan);
  assert.deepEqual(failures, []);
  const unanswered = Object.keys(answers).filter((route) => answers[route] === 0);
  assert.deepEqual(unanswered, [], 'routes and kinds of files that were not reached');
  for (const status of STATUSES) assert.ok(statuses[status], `no answer was ${status}`);
});
