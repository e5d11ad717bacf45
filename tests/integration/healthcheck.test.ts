import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { SETTINGS } from '../../sidecar/base/config.ts';
import { ROOT } from '../support/fixtures.ts';
import { run } from '../support/run.ts';

/** Prints the URL instead of fetching it. */
const TELL = 'globalThis.fetch = async (url) => (console.log(url), { ok: true });';

test('the health check asks where the sidecar listens, also when PORT is empty', async () => {
  const program = join(ROOT, 'sidecar/commands/healthcheck/main.js');
  for (const [PORT, asked] of [
    ['', SETTINGS.PORT.default],
    ['8080', '8080'],
  ] as const) {
    const preload = `data:text/javascript,${encodeURIComponent(TELL)}`;
    const { stdout } = await run(process.execPath, ['--import', preload, program], { PORT });
    assert.equal(stdout, `http://127.0.0.1:${asked}/healthz\n`);
  }
});
