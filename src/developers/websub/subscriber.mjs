// Subscribes to a topic, renews, and takes what is pushed. Run it behind a server that speaks HTTPS.
//   TOPIC     the topic's URL             HUB       the hub's URL
//   CALLBACK  where this program is reached from outside, e.g. https://you.example/websub
//   PORT      to listen on                STATE     a file for the subscription; it holds its secret
//   CONTENT   a file for the newest content
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { TOPIC, HUB, CALLBACK, PORT = '8080' } = process.env;
const { STATE = 'subscription.json', CONTENT = 'content' } = process.env;
const MAX_BYTES = 256 * 1024 * 1024;
const LEASE_SECONDS = 10 * 86_400;
const PENDING_MS = 10 * 60_000; // for this long the hub may ask about a request
const RETRY_MS = [60_000, 300_000, 3_600_000];
// What a challenge may consist of (WebSub, section 5.3).
const CHALLENGE = /^[+\-./0-9=A-Z_a-z]{1,512}$/;

// The path cannot be guessed, so only the hub knows where to ask and push.
const state = existsSync(STATE)
  ? JSON.parse(readFileSync(STATE, 'utf8'))
  : { token: random(), secret: random(), renewAt: 0, etag: undefined };
let pendingUntil = 0; // a request of ours waits to be confirmed until then
let failures = 0;
let nextTry = 0;

function random() {
  return randomBytes(32).toString('base64url');
}

function write(file, content) {
  writeFileSync(`${file}.new`, content, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

function save() {
  write(STATE, JSON.stringify(state));
}

function tryLater() {
  pendingUntil = 0;
  nextTry = Date.now() + RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)];
}

async function subscribe() {
  pendingUntil = Date.now() + PENDING_MS;
  nextTry = pendingUntil; // if the hub has not asked by then, once more
  const body = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.topic': TOPIC,
    'hub.callback': `${CALLBACK.replace(/\/$/, '')}/${state.token}`,
    'hub.secret': state.secret,
    'hub.lease_seconds': String(LEASE_SECONDS),
    ...(state.etag && { 'hub.etag': state.etag }), // what we have; anything newer is sent at once
  });
  try {
    const answer = await fetch(HUB, { method: 'POST', body, signal: AbortSignal.timeout(30_000) });
    if (answer.status === 202) return;
    console.log(`the hub refused: ${answer.status} ${(await answer.text()).slice(0, 200).trim()}`);
  } catch (error) {
    console.log(`the hub cannot be reached: ${error.message}`);
  }
  tryLater();
}

/** Answers the hub's question, if it is about a request of ours; nobody else may end or change it. */
function answerQuestion(query, response) {
  const challenge = query.get('hub.challenge') ?? '';
  const lease = Number(query.get('hub.lease_seconds'));
  const isOurs =
    query.get('hub.topic') === TOPIC &&
    query.get('hub.mode') === 'subscribe' &&
    Date.now() < pendingUntil;
  if (!isOurs || !CHALLENGE.test(challenge) || !(lease > 0)) return response.writeHead(404).end();
  pendingUntil = 0;
  failures = 0;
  state.renewAt = Date.now() + lease * 800; // with a fifth of the lease left
  nextTry = state.renewAt;
  save();
  console.log(`subscribed for ${lease} s`);
  response.writeHead(200, { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' });
  return response.end(challenge);
}

function noteDenial(query, response) {
  if (query.get('hub.topic') === TOPIC) {
    console.log(`denied: ${(query.get('hub.reason') ?? '').replace(/[^ -~]/g, ' ').slice(0, 200)}`);
    state.renewAt = 0;
    save();
    tryLater();
  }
  response.writeHead(200).end();
}

async function takePush(request, response) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return response.writeHead(413, { connection: 'close' }).end();
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  console.log(keep(body, request.headers));
  // Any 2xx, once the content is kept: the hub sends again what is not acknowledged.
  return response.writeHead(202).end();
}

function keep(body, { etag, 'x-hub-signature': signature }) {
  if (!isSigned(signature, body)) return 'ignored: wrong signature';
  if (etag !== undefined && etag === state.etag) return 'ignored: it is known';
  write(CONTENT, body); // yours to use
  state.etag = etag;
  save();
  return `new content: ${body.length} bytes`;
}

function isSigned(header, body) {
  const right = Buffer.from(
    `sha256=${createHmac('sha256', state.secret).update(body).digest('hex')}`,
  );
  const sent = Buffer.from(header ?? '');
  return sent.length === right.length && timingSafeEqual(sent, right);
}

const server = createServer((request, response) => {
  const [path, search = ''] = request.url.split('?', 2);
  const query = new URLSearchParams(search);
  if (!path.endsWith(`/${state.token}`)) return response.writeHead(404).end();
  if (request.method === 'POST') {
    // It was cut off, or could not be kept.
    return takePush(request, response).catch(() => response.destroy());
  }
  if (request.method !== 'GET') return response.writeHead(405, { allow: 'GET, POST' }).end();
  return query.get('hub.mode') === 'denied'
    ? noteDenial(query, response)
    : answerQuestion(query, response);
});
server.listen(Number(PORT), () => {
  console.log(`listening on ${server.address().port}`);
  nextTry = state.renewAt;
  save();
  setInterval(() => Date.now() >= nextTry && void subscribe(), 1000);
});
