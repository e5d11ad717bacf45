import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendRaw } from '../fuzz/connection.ts';
import { smallEdition } from '../support/edition-folder.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { samplesOf } from '../support/samples.ts';
import { startSidecar } from '../support/sidecar-process.ts';
import { rawRequests } from './raw-requests.ts';

/** The number of responses of each status. */
type Counts = Record<string, number>;

const REQUESTS = 'reviews_http_request_duration_seconds_count';
const AT_ONCE = 8;

test('malformed, ambiguous and slow requests get one answer, counted and logged', async (context) => {
  const env = {
    EDITION: await smallEdition(),
    DATA_DIR: await temporaryFolder(context),
    RATE_LIMIT: '0',
    METRICS_PORT: '0',
    REQUEST_SECONDS: '2',
    TRUST_PROXY: 'loopback',
  };
  const sidecar = await startSidecar(env, context);
  const port = Number(new URL(sidecar.url).port);
  const wrong: string[] = [];
  const wire: Counts = {};
  // What loads once the port is open would let the first requests take too long.
  await eventually(async () => {
    const { status } = await fetch(new URL('readyz', sidecar.url));
    wire[status] = (wire[status] ?? 0) + 1;
    return status === 200;
  });
  const requests = rawRequests();
  const lane = async (): Promise<void> => {
    for (let next = requests.shift(); next; next = requests.shift()) {
      const { name, bytes, status } = next;
      const { statuses, closed } = await sendRaw(port, bytes, status === 'none');
      for (const each of statuses) wire[each] = (wire[each] ?? 0) + 1;
      const answer = statuses.join() || 'none';
      if (answer !== String(status)) wrong.push(`${name}: ${answer} instead of ${status}`);
      if (!closed) wrong.push(`${name}: the connection hung`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  assert.deepEqual(wrong, []);

  const logged = (): Counts => {
    const counts: Counts = {};
    for (const { message, status } of sidecar.lines) {
      if (message === 'request') counts[String(status)] = (counts[String(status)] ?? 0) + 1;
    }
    return counts;
  };
  const metrics = sidecar.lines.find(({ message }) => message === 'metrics')!.url as string;
  const sum = (counts: Counts) => Object.values(counts).reduce((total, count) => total + count);
  // Lines and counters follow the end of an answer by a moment.
  await eventually(() => sum(logged()) >= sum(wire));
  assert.deepEqual(logged(), wire);
  assert.deepEqual(countedBy(await (await fetch(metrics)).text()), wire);
  const errors = sidecar.lines.filter(({ level }) => level === 'error');
  assert.deepEqual(errors, []);
});

function countedBy(text: string): Counts {
  const counts: Counts = {};
  for (const [name, value] of samplesOf(text)) {
    const status = name.startsWith(REQUESTS) && /status="(\d+)"/.exec(name)?.[1];
    if (status) counts[status] = (counts[status] ?? 0) + value;
  }
  return counts;
}
