import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { ROOT } from '../support/fixtures.ts';

// The two subscribers of the WebSub guide, run as a reader would.

const TOPIC = 'https://reviews.example/api/feed.json';
const SECRET = 'a long random string';
const GUIDE = join(ROOT, 'src/developers/websub');
const PROGRAMS = { 'subscriber.mjs': process.execPath, 'subscriber.py': 'python3' };

for (const [file, program] of Object.entries(PROGRAMS)) {
  test(`${file} repeats the challenge of its topic alone`, async (context) => {
    const { origin } = await subscriber(context, program, file);
    const asked = (topic: string) =>
      new URLSearchParams({
        'hub.mode': 'subscribe',
        'hub.topic': topic,
        'hub.challenge': 'a+b c&d',
        'hub.lease_seconds': '864000',
      });
    const answer = await fetch(`${origin}/?${asked(TOPIC)}`);
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), 'a+b c&d');
    const other = await fetch(`${origin}/?${asked('https://elsewhere.example/')}`);
    assert.equal(other.status, 404);
    assert.equal(await other.text(), '');
  });

  test(`${file} takes what is signed with its secret, and nothing else`, async (context) => {
    const { origin, nextLine } = await subscriber(context, program, file);
    const body = JSON.stringify({ title: 'Reviews · ★★★★★' });
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    const push = async (headers: Record<string, string>) => {
      const answer = await fetch(origin, { method: 'POST', body, headers });
      assert.ok(answer.ok);
      return await nextLine();
    };
    const accepted = `new content: ${Buffer.byteLength(body)} bytes`;
    assert.equal(await push({ 'x-hub-signature': `sha256=${signature}` }), accepted);
    const refused = 'ignored: wrong signature';
    assert.equal(
      await push({ 'x-hub-signature': `sha256=${signature.replace(/.$/, '-')}` }),
      refused,
    );
    assert.equal(await push({ 'x-hub-signature': 'sha256=' }), refused);
    assert.equal(await push({}), refused);
  });
}

/** Runs a subscriber on a free port until the test ends; `nextLine` reads its output. */
async function subscriber(
  context: TestContext,
  program: string,
  file: string,
): Promise<{ origin: string; nextLine: () => Promise<string> }> {
  const child: ChildProcess = spawn(program, [join(GUIDE, file)], {
    env: { ...process.env, TOPIC, SECRET, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  context.after(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const printed = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const nextLine = async () => {
    const next = await printed.next();
    assert.ok(next.done !== true, `${file} ended`);
    return next.value;
  };
  const port = /^listening on (\d+)$/.exec(await nextLine())![1];
  return { origin: `http://127.0.0.1:${port}`, nextLine };
}
