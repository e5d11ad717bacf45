import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackRawSockets } from '../attack/raw-sockets.ts';
import { sampleEdition } from '../support/edition.ts';
import { temporaryFolder } from '../support/fixtures.ts';
import { startSidecar } from '../support/sidecar-process.ts';

for (const trusted of ['off', 'loopback']) {
  test(`odd and slow requests are refused, counted and logged; TRUST_PROXY=${trusted}`, async (context) => {
    const sidecar = await startSidecar({
      EDITION: await sampleEdition(),
      DATA_DIR: await temporaryFolder(context),
      METRICS_PORT: '0',
      REQUEST_SECONDS: '1',
      TRUST_PROXY: trusted,
    });
    context.after(() => sidecar.child.kill());
    assert.deepEqual(await attackRawSockets(sidecar), []);
  });
}
