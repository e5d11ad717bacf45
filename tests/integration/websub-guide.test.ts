import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { ROOT, temporaryFolder } from '../support/fixtures.ts';
import { freePort } from '../support/free-port.ts';
import { onLoopback } from '../support/hub-process.ts';
import { serve } from '../support/serve.ts';
import { testCa } from '../support/test-ca.ts';

// The two subscribers of the WebSub guide, run as a reader would.

const TOPIC = 'https://reviews.example/api/feed.json';
const GUIDE = join(ROOT, 'src/developers/websub');
const PROGRAMS = { 'subscriber.mjs': process.execPath, 'subscriber.py': 'python3' };

for (const [file, program] of Object.entries(PROGRAMS)) {
  const start = (context: TestContext, env: Record<string, string> = {}) =>
    startSubscriber(context, program, file, env);

  test(`${file} outlives what strangers send, confirms its own request once, and prints a denial without what a terminal would obey`, async (context) => {
    const { origin, path, ask, form, line } = await start(context);
    const { port } = new URL(origin);
    const raw = async (bytes: string) => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => {});
      socket.resume();
      await once(socket, 'connect');
      socket.end(bytes);
      await once(socket, 'close');
    };
    await raw('GET // HTTP/1.1\r\nhost: x\r\n\r\n');
    await raw(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\ncut`);
    await raw(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 999999999999\r\n\r\nx`);
    await raw('nonsense\r\n\r\n');
    const good = { 'hub.challenge': 'a-b_c.d/e=f+1', 'hub.lease_seconds': '864000' };
    for (const [what, changes] of Object.entries<Record<string, string>>({
      'another mode': { 'hub.mode': 'unsubscribe' },
      'another topic': { 'hub.topic': 'https://elsewhere.example/' },
      'a challenge that is a page': { 'hub.challenge': '<script>1</script>' },
      'a challenge that is too long': { 'hub.challenge': 'x'.repeat(5000) },
      'no lease': { 'hub.lease_seconds': '' },
    })) {
      assert.equal((await ask({ ...good, ...changes })).status, 404, what);
    }
    assert.equal((await ask(good, '/guessed')).status, 404, 'another path');
    const answer = await ask(good);
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), good['hub.challenge']);
    assert.equal(answer.headers.get('content-type'), 'text/plain');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(await line(), 'subscribed for 864000 s');
    assert.equal((await ask(good)).status, 404, 'nothing is pending any more');
    const denial = { 'hub.mode': 'denied', 'hub.reason': 'no \u001B[31mroom\n' };
    assert.equal((await ask(denial)).status, 200);
    assert.match(await line(), /^denied: no {2}\[31mroom ?$/);
    assert.match(form.get('hub.callback')!, /^https:\/\/you\.example\/websub\/[\w-]{43}$/);
    assert.match(form.get('hub.secret')!, /^[\w-]{43}$/);
  });

  test(`${file} takes what is signed with its secret, once, and nothing else`, async (context) => {
    const { origin, path, form, line, contentFile, stateFile } = await start(context);
    const body = JSON.stringify({ title: 'Reviews · ★★★★★' });
    const signature = createHmac('sha256', form.get('hub.secret')!).update(body).digest('hex');
    let kept: string | undefined;
    const push = async (headers: Record<string, string>, to = path) => {
      const answer = await fetch(origin + to, { method: 'POST', body, headers });
      kept = await readFile(contentFile, 'utf8').catch(() => undefined);
      return answer.status === 202 ? line() : answer.status;
    };
    const signed = { 'x-hub-signature': `sha256=${signature}`, etag: '"one"' };
    assert.equal(await push(signed, '/guessed'), 404);
    const refused = 'ignored: wrong signature';
    assert.equal(await push({ 'x-hub-signature': `sha256=${signature.slice(1)}0` }), refused);
    assert.equal(await push({ 'x-hub-signature': 'sha256=' }), refused);
    assert.equal(await push({}), refused);
    assert.equal(kept, undefined);
    assert.equal(await push(signed), `new content: ${Buffer.byteLength(body)} bytes`);
    assert.equal(kept, body, 'kept before it is acknowledged');
    assert.equal(await push(signed), 'ignored: it is known');
    await rm(dirname(stateFile), { recursive: true });
    const next = push({ ...signed, etag: '"two"' });
    await assert.rejects(next, 'not acknowledged if it cannot be kept');
  });

  test(`${file} keeps its path and secret, and says what it has when it renews`, async (context) => {
    const first = await start(context);
    const { origin, path, form, stateFile, line } = first;
    await first.ask({ 'hub.challenge': 'c', 'hub.lease_seconds': '864000' });
    await line();
    const signature = createHmac('sha256', form.get('hub.secret')!).update('x').digest('hex');
    const headers = { 'x-hub-signature': `sha256=${signature}`, etag: '"one"' };
    await fetch(origin + path, { method: 'POST', body: 'x', headers });
    await line();
    assert.equal((await stat(stateFile)).mode & 0o777, 0o600);
    assert.ok((await readFile(stateFile, 'utf8')).includes('one'));
    await first.stop();
    // As if a fifth of the lease were left.
    const state = JSON.parse(await readFile(stateFile, 'utf8')) as Record<string, unknown>;
    await writeFile(stateFile, JSON.stringify({ ...state, renewAt: 0, renew_at: 0 }));
    const again = await start(context, { STATE: stateFile });
    for (const field of ['hub.callback', 'hub.secret']) {
      assert.equal(again.form.get(field), form.get(field), field);
    }
    assert.equal(again.form.get('hub.etag'), '"one"');
  });

  test(`${file} and this hub understand each other`, async (context) => {
    const { start: startHub, edition, request } = await onLoopback(context);
    const port = await freePort();
    const front = createSecureServer(testCa().issue(['127.0.0.1']), (incoming, outgoing) => {
      const { method, url, headers } = incoming;
      const forward = httpRequest({ port, method, path: url, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      });
      forward.on('error', () => outgoing.destroy());
      incoming.pipe(forward);
    });
    const frontPort = new URL(await serve(context, front)).port;
    const folder = await temporaryFolder(context);
    const hub = await startHub();
    const child = run(context, program, file, {
      TOPIC: edition.topic(),
      HUB: `${hub.url}api/websub/hub`,
      CALLBACK: `https://127.0.0.1:${frontPort}/websub`,
      PORT: String(port),
      STATE: join(folder, 'state.json'),
      CONTENT: join(folder, 'content'),
    });
    assert.equal(await child.line(), `listening on ${port}`);
    assert.equal(await child.line(), 'subscribed for 864000 s');
    await edition.put(1);
    await request(hub.url, { mode: 'publish', url: edition.topic() });
    assert.match(await child.line(), /^new content: \d+ bytes$/);
  });
}

function run(context: TestContext, program: string, file: string, env: Record<string, string>) {
  const child: ChildProcess = spawn(program, [join(GUIDE, file)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, 'exit');
  };
  context.after(stop);
  const printed = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const next = await printed.next();
    assert.ok(next.done !== true, `${file} ended`);
    return next.value;
  };
  return { line, stop };
}

/** Runs a subscriber whose hub takes every request; returns once it has sent the first. */
async function startSubscriber(
  context: TestContext,
  program: string,
  file: string,
  env: Record<string, string>,
) {
  let told: (form: URLSearchParams) => void;
  const asked = new Promise<URLSearchParams>((resolve) => (told = resolve));
  const hub = await serve(context, async (incoming, outgoing) => {
    told(new URLSearchParams(await text(incoming)));
    outgoing.writeHead(202).end();
  });
  const stateFile = env.STATE ?? join(await temporaryFolder(context), 'state.json');
  const contentFile = `${stateFile}.content`;
  const { line, stop } = run(context, program, file, {
    TOPIC,
    HUB: hub,
    CALLBACK: 'https://you.example/websub/',
    PORT: '0',
    STATE: stateFile,
    CONTENT: contentFile,
  });
  const port = /^listening on (\d+)$/.exec(await line())![1];
  const origin = `http://127.0.0.1:${port}`;
  const form = await asked;
  const path = new URL(form.get('hub.callback')!).pathname;
  const ask = (fields: Record<string, string>, to = path) => {
    const query = { 'hub.mode': 'subscribe', 'hub.topic': TOPIC, ...fields };
    return fetch(`${origin}${to}?${new URLSearchParams(query)}`);
  };
  return { origin, path, form, ask, line, stop, stateFile, contentFile };
}
