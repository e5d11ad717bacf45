import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { readContent } from '../../src/content/read-content.ts';
import { repairQuote } from '../../src/owner/annotation-request.ts';
import { annotate } from '../../src/owner/commands/annotate.ts';
import type { Annotation } from '../../src/schema/annotation.ts';
import { contentFolder } from '../support/content-folder.ts';
import { jsonl, record, ulidOf } from '../support/reviews.ts';
import { runHere } from '../support/run-here.ts';
import { serve } from '../support/serve.ts';

const KEY = 'sk-secret-0123456789';
const TEXTS = ["He didn't arrive on time.", 'Fair price, and "spotless" work.', 'So late again!'];

const label = (quote: string, id = 'pricing', sentiment = 'negative') =>
  JSON.stringify({ aspects: [{ id, sentiment, quote }] });
/** The first sentence of a request's review. */
const words = (content: string) => content.split('\n')[1]!;

/** An answer of the test model: the content of the message, or a status with headers. */
type Reply = string | { status: number; headers?: Record<string, string>; body?: string };

/**
 * Listens on loopback as an endpoint compatible with OpenAI's until the test ends; keeps the bodies of
 * requests, and how many came at once.
 *
 * @param reply returns the answer for the words of a review, after as long as it likes
 */
async function modelEndpoint(
  context: TestContext,
  reply: (words: string) => Reply | Promise<Reply>,
) {
  const seen = { url: '', bodies: [] as string[], mostAtOnce: 0 };
  let atOnce = 0;
  const url = await serve(context, async (request, response) => {
    seen.mostAtOnce = Math.max(seen.mostAtOnce, ++atOnce);
    const body = Buffer.concat(await request.toArray()).toString();
    const { messages } = JSON.parse(body) as { messages: { content: string }[] };
    seen.bodies.push(body);
    const answer = await reply(messages[1]!.content);
    atOnce--;
    if (typeof answer !== 'string') {
      response.writeHead(answer.status, answer.headers).end(answer.body);
      return;
    }
    const usage = { prompt_tokens: 400, completion_tokens: 50 };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ choices: [{ message: { content: answer } }], usage }));
  });
  return Object.assign(seen, { url: `${url}/v1` });
}

async function annotated(context: TestContext, reply: (content: string) => Reply | Promise<Reply>) {
  const endpoint = await modelEndpoint(context, reply);
  const records = TEXTS.map((text, at) =>
    record({ id: ulidOf(at + 1), date: `2026-03-0${at + 1}`, author: 'Zebediah Quill', text }),
  );
  const contentDir = await contentFolder(context, { 'reviews/2026.jsonl': jsonl(...records) });
  const run = async (...args: string[]) => {
    const { status, output, error } = await runHere(annotate, contentDir, args, {
      OPENAI_BASE_URL: endpoint.url,
      OPENAI_API_KEY: KEY,
      ANNOTATE_MODEL: 'stand-in/1',
    });
    const text = [output, error?.message].join('\n');
    assert.ok(!text.includes(KEY), 'no output has the key');
    return { status, text };
  };
  const lines = async () => {
    const file = join(contentDir, 'annotations/stand-in-1.jsonl');
    const text = await readFile(file, 'utf8').catch(() => '');
    assert.ok(!text.includes(KEY));
    const written = text.split('\n').filter(Boolean);
    return written.map((line) => JSON.parse(line) as Annotation);
  };
  return { endpoint, run, lines, contentDir };
}

test('right answers become annotations that the build accepts; the author is never sent', async (context) => {
  const { endpoint, run, lines, contentDir } = await annotated(context, async (content) => {
    await delay(200);
    return label(words(content));
  });
  const { status, text } = await run('--concurrency', '2');
  assert.equal(status, 0, text);
  assert.match(text, /^3 annotations written to .*; 0 quotes repaired, 0 labels .* 1,350 tokens/m);
  for (const { source } of await lines()) assert.equal(source, 'stand-in/1 (prompt 1)');
  assert.equal((await readContent(contentDir)).annotations.length, 3);
  for (const body of endpoint.bodies) {
    assert.doesNotMatch(body, /Zebediah|Quill|01KE0/);
    assert.match(body, /5 of 5 stars/);
    assert.match(body, /"enum":\["overall","pricing"\]/);
  }
  assert.equal(endpoint.mostAtOnce, 2);
  assert.match((await run()).text, /^every review has an annotation$/m);
  assert.equal(endpoint.bodies.length, 3, 'what is done is not sent again');
});

test('quotes are repaired for marks and spaces; invented ones and unknown ids are refused', async (context) => {
  const answers: Record<string, string> = {
    [TEXTS[0]!]: label('He didn’t  arrive on time.'),
    [TEXTS[1]!]: label('Unbeatable price.'),
    [TEXTS[2]!]: label(TEXTS[2]!, 'charm'),
  };
  const { run, lines } = await annotated(context, (content) => answers[words(content)]!);
  const { text } = await run();
  assert.match(text, /3 annotations .* 1 quotes repaired, 2 labels or quotes refused/);
  const labels = (await lines()).flatMap(({ aspects }) => aspects!);
  assert.deepEqual(labels, [{ id: 'pricing', sentiment: 'negative', quote: TEXTS[0] }]);
});

test('broken answers fail by review, and the next run does the rest', async (context) => {
  let isBroken = true;
  const { run, lines } = await annotated(context, (content) => {
    if (!isBroken) return label(words(content));
    if (words(content) === TEXTS[0]) return '{"aspects": [';
    if (words(content) === TEXTS[1]) return '{"aspects": [{"id": 7}]}';
    return label(words(content));
  });
  const first = await run();
  assert.equal(first.status, 1);
  assert.match(first.text, /The model returned invalid JSON/);
  assert.match(first.text, /The model returned an unexpected shape: aspects\.0\.id/);
  assert.equal((await lines()).length, 1);
  isBroken = false;
  assert.equal((await run()).status, 0);
  assert.equal((await lines()).length, 3);
});

test('an answer without measure, and a usage that no request has, are refused', async (context) => {
  const choices = (content: string) => [{ message: { content } }];
  const { run, lines } = await annotated(context, (content) => {
    const answer = label(words(content));
    if (words(content) === TEXTS[0]) return label('long '.repeat(1000));
    const prompt_tokens = words(content) === TEXTS[1] ? -1_000_000 : 1e12;
    const usage = { prompt_tokens, completion_tokens: 1 };
    const headers = { 'content-type': 'application/json' };
    return { status: 200, headers, body: JSON.stringify({ choices: choices(answer), usage }) };
  });
  const { status, text } = await run();
  assert.equal(status, 1);
  assert.match(text, /unexpected shape: aspects\.0\.quote/);
  assert.equal(text.match(/not as documented: usage\.prompt_tokens/g)!.length, 2, text);
  assert.deepEqual(await lines(), []);
});

test('an endpoint that refuses the key is quoted without it', async (context) => {
  const { run, lines } = await annotated(context, () => ({
    status: 401,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error: { message: `Incorrect API key: ${KEY}` } }),
  }));
  const { status, text } = await run();
  assert.equal(status, 1);
  assert.match(text, /answered 401: Incorrect API key: \[secret\]: check OPENAI_API_KEY/);
  assert.deepEqual(await lines(), []);
});

test('a dry run and --limit send no more than they say', async (context) => {
  const { endpoint, run, lines } = await annotated(context, (content) => label(words(content)));
  const { text } = await run('--dry-run');
  assert.match(text, /^3 reviews, about [\d,]+ tokens; nothing was sent$/m);
  assert.equal(endpoint.bodies.length, 0);
  await run('--limit', '1');
  assert.equal((await lines()).map(({ review_id }) => review_id).join(), ulidOf(3));
  assert.equal((await run('--limit', '0')).status, 2);
});

test('a quote is repaired to what the review says, never to less', () => {
  assert.equal(repairQuote('It’s  “fine”', `It's "fine"`), 'It’s  “fine”');
  assert.equal(repairQuote('It is (fine).', 'It is (fine).'), 'It is (fine).');
  assert.equal(repairQuote('It is fine.', 'It was fine.'), undefined);
  assert.equal(repairQuote('It is fine.', ' '), undefined);
  assert.equal(repairQuote('So:  it’s\n fine. Yes', "it's fine."), 'it’s\n fine.');
  assert.equal(repairQuote('a ‘b’', 'a "b"'), undefined);
  assert.equal(repairQuote('😀 fine', '\ude00 fine'), undefined);
  assert.equal(repairQuote('It is fine.', 'It  is (a+)+$'), undefined);
  const start = performance.now();
  assert.equal(repairQuote(`${' '.repeat(50_000)}x`, `${'\n '.repeat(50_000)}y`), undefined);
  assert.ok(performance.now() - start < 1000);
});
