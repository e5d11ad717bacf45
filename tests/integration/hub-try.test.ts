import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { callbacksFor } from '../support/callback-server.ts';
import { smallEdition } from '../support/edition-folder.ts';
import { LOOPBACK } from '../support/hub.ts';
import { run } from '../support/run.ts';
import { testCaFile } from '../support/test-ca.ts';

test('hub try pushes a topic as the hub would, and says what was wrong', async (context) => {
  const callbacks = await callbacksFor(context);
  const env = {
    EDITION: await smallEdition(),
    HUB_CALLBACK_ALLOW: LOOPBACK.join(),
    HUB_TRY_SECRET: 'sesame',
  };
  const trusting = { ...env, NODE_EXTRA_CA_CERTS: await testCaFile() };
  const push = (settings: Record<string, string>, ...args: string[]) =>
    run(process.execPath, ['sidecar/commands/main.ts', 'try', ...args], settings);

  const { stdout } = await push(trusting, callbacks.url('/a'));
  assert.match(stdout, /^delivered in [\d.]+ s: \d+ bytes of http.*\/feed\.xml, signed\n$/);
  const [{ headers, body }] = callbacks.requests as [(typeof callbacks.requests)[0]];
  const mac = createHmac('sha256', 'sesame').update(body).digest('hex');
  assert.equal(headers['x-hub-signature'], `sha256=${mac}`);
  assert.equal(headers['content-type'], 'application/atom+xml');

  await assert.rejects(push(env, callbacks.url('/a')), /the certificate is not trusted/);
  callbacks.handle((_, response) => response.writeHead(302, { location: '/b' }).end());
  await assert.rejects(push(trusting, callbacks.url('/a')), /302: the hub follows no redirects/);
  await assert.rejects(push(env, 'http://127.0.0.1/'), /the callback is not an https URL/);
  await assert.rejects(push(env, callbacks.url('/a'), '/nothing'), /usage:/);
});
