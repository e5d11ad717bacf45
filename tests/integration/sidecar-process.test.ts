import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { SETTINGS } from '../../sidecar/base/config.ts';
import { smallEdition } from '../support/edition-folder.ts';
import { eventually } from '../support/eventually.ts';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';
import { exchange } from '../support/http.ts';
import { run } from '../support/run.ts';
import { serve } from '../support/serve.ts';
import { SERVE_FLAGS, startSidecar } from '../support/sidecar-process.ts';
import { serveSample } from '../support/targets.ts';

const CLIENTS = 20;
const STOP_MS = 10_000;

test('MCP and the hub answer before they are loaded, and SIGTERM under load lets every answer finish', async (context) => {
  const env = { EDITION: await smallEdition(), DATA_DIR: await temporaryFolder(context) };
  const { url, child, exited } = await startSidecar({ ...env, RATE_LIMIT: '0' }, context);
  const statusOf = async (path: string) => (await fetch(url + path)).status;
  assert.deepEqual(await Promise.all(['api/websub/hub', 'mcp'].map(statusOf)), [405, 405]);
  await eventually(async () => (await statusOf('readyz')) === 200);
  const agent = new Agent({ keepAlive: true });
  context.after(() => agent.destroy());
  let answered = 0;
  let signalled = 0;
  const client = async (): Promise<void> => {
    for (;;) {
      const outcome = await request(agent, `${url}reviews.json`);
      if (outcome === 'refused') return;
      assert.equal(outcome, 'whole', 'an answer was cut off');
      if (++answered === 200) {
        signalled = performance.now();
        child.kill('SIGTERM');
      }
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  assert.equal(await exited, 0);
  assert.ok(answered >= 200);
  assert.ok(performance.now() - signalled < STOP_MS);
});

test('an idle connection is kept longer than any proxy keeps it', async (context) => {
  const kept = { headers: { connection: 'keep-alive' } };
  const { headers } = await exchange(await serveSample(context), '/healthz', kept);
  const [, seconds] = /timeout=(\d+)/.exec(headers.get('keep-alive')!)!;
  assert.ok(Number(seconds) > 15 * 60, `${seconds} s`);
});

test('a DATA_DIR that cannot be made stops the start and is named', async (context) => {
  const file = join(await temporaryFolder(context), 'file');
  await writeFile(file, '');
  await assert.rejects(startSidecar({ DATA_DIR: file }), /exit 1: DATA_DIR .*file: EEXIST/);
});

/** Tells if a body arrived in full; `refused` where no answer had begun. */
function request(agent: Agent, url: string): Promise<'whole' | 'cut' | 'refused'> {
  return new Promise((resolve) => {
    get(url, { agent }, (response) => {
      let length = 0;
      response.on('data', (chunk: Buffer) => (length += chunk.length));
      response.on('end', () =>
        resolve(length === Number(response.headers['content-length']) ? 'whole' : 'cut'),
      );
      response.on('error', () => resolve('cut'));
    }).on('error', () => resolve('refused'));
  });
}

test('a port that is taken stops the start, whichever it is', async (context) => {
  const { port } = new URL(await serve(context, () => {}));
  for (const name of ['PORT', 'METRICS_PORT']) {
    const env = { EDITION: await smallEdition(), DATA_DIR: await temporaryFolder(context) };
    const start = startSidecar({ ...env, HOST: '127.0.0.1', [name]: port });
    await assert.rejects(start, new RegExp(`exit 1: HOST 127\\.0\\.0\\.1, ${name} ${port}: `));
  }
});

test('before the port is open, only the packages that reads need are loaded', async () => {
  const source = `
    import { registerHooks } from 'node:module';
    const packages = new Set();
    registerHooks({
      load(url, context, nextLoad) {
        const [, name] = /\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
        if (name) packages.add(name);
        return nextLoad(url, context);
      },
    });
    await import('./sidecar/start.ts');
    console.log([...packages].sort().join());`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', source]);
  assert.equal(stdout.trim(), 'h3,rou3,srvx,zod');
});

test('SIGTERM ends a start that still waits for its edition, and former settings are named', async (context) => {
  const asked = Promise.withResolvers<void>();
  const origin = await serve(context, () => asked.resolve()); // says nothing
  const child = spawn(process.execPath, [...SERVE_FLAGS, join(ROOT, 'sidecar/main.js')], {
    env: {
      ...process.env,
      EDITION: origin,
      DATA_DIR: await temporaryFolder(context),
      PORT: '0',
      SEARCH_RATE: '10',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  context.after(() => child.kill('SIGKILL'));
  const output = child.stdout.toArray();
  await asked.promise;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
  const [line] = String(Buffer.concat(await output)).split('\n');
  const { time: _, ...said } = JSON.parse(line!) as Record<string, string>;
  const message = 'a setting is no longer read';
  assert.deepEqual(said, { level: 'warn', message, setting: 'SEARCH_RATE', instead: 'RATE_LIMIT' });
});

test('SIGTERM right after the start ends the process in order', async (context) => {
  const env = { EDITION: await smallEdition(), DATA_DIR: await temporaryFolder(context) };
  const { child, exited } = await startSidecar(env, context);
  child.kill('SIGTERM');
  assert.equal(await exited, 0);
});

const HEALTHCHECK = 'sidecar/commands/healthcheck/main.js';
/** Prints the URL instead of fetching it. */
const TELL = 'globalThis.fetch = async (url) => (console.log(url), { ok: true });';

test('the health check asks where the sidecar listens, also when PORT is empty or has blanks', async () => {
  for (const [PORT, asked] of [
    ['', SETTINGS.PORT.default],
    ['8080', '8080'],
    [' 8080\r', '8080'],
  ] as const) {
    const preload = `data:text/javascript,${encodeURIComponent(TELL)}`;
    const { stdout } = await run(process.execPath, ['--import', preload, HEALTHCHECK], { PORT });
    assert.equal(stdout, `http://127.0.0.1:${asked}/healthz\n`);
  }
});
