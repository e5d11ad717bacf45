import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import type { Outbound, Outcome } from '../../sidecar/hub/outbound/outbound.ts';
import { callbacksFor } from '../support/callback-server.ts';
import { eventually } from '../support/eventually.ts';
import { openOutbound } from '../support/hub.ts';
import { listen } from '../support/listeners.ts';
import { makeTestCa, testCa } from '../support/test-ca.ts';

const trusted = testCa().issue(['127.0.0.1']);
const MAX_BODY = 1024;
/** A deadline that is never reached, however busy the machine. */
const PATIENCE = 20_000;
/** Delay allowed on a busy machine. */
const MARGIN = 5000;

const send = (hub: Outbound, port: number, patienceMs: number) =>
  hub.send({
    method: 'POST',
    url: `https://127.0.0.1:${port}/`,
    headers: { 'content-type': 'text/plain' },
    body: Buffer.from('content'),
    maxBody: MAX_BODY,
    patienceMs,
  });

const response = (status: number, body: string, truncated: boolean): Outcome => ({
  kind: 'response',
  status,
  body: Buffer.from(body),
  truncated,
});
const failure = (reason: string): Outcome => ({ kind: 'failure', reason });
/** Before there is a connection. */
const unreached = (outcome: Outcome): Outcome => ({ ...outcome, unreached: true }) as Outcome;
const LATE = failure('there was no answer in time');
const CLOSED = failure('the connection was closed before an answer');
const NOT_HTTP = failure('the answer is not HTTP');

/** Writes until the connection closes. */
const endless = (text: string) => (socket: Socket) => {
  const more = (): void => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', more);
  more();
};

/** Writes the beginning, then drips, and never ends. */
const dripping =
  (beginning: string, drop = '') =>
  (socket: Socket) => {
    socket.write(beginning);
    const drops = setInterval(() => socket.write(drop), 20);
    socket.on('close', () => clearInterval(drops));
  };

const saying = (text: string) => (socket: Socket) => {
  socket.once('data', () => socket.write(text));
};

const sayingAll = (text: string) => (socket: Socket) => {
  socket.once('data', () => socket.end(text));
};

const OK = 'HTTP/1.1 200 OK\r\n';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

/** Behavior of a peer, after a TLS handshake or without one. */
type Peer = (socket: Socket) => void;

/** Peers and the outcome. */
const PEERS: Record<string, [peer: Peer, outcome: Outcome]> = {
  'that closes when asked': [(socket) => socket.once('data', () => socket.destroy()), CLOSED],
  'that closes within the head': [sayingAll(`${OK}x: y`), CLOSED],
  'whose headers never end': [endless(`x: ${'y'.repeat(1000)}\r\n`), NOT_HTTP],
  'whose head is too long': [saying(`${OK}x: ${'y'.repeat(9000)}\r\n\r\n`), NOT_HTTP],
  'that speaks something else': [saying('SSH-2.0-OpenSSH_9.9\r\n'), NOT_HTTP],
  'that answers before it is asked, and in nonsense': [endless('\0'.repeat(1000)), NOT_HTTP],
  'that says 100 without being asked to': [
    saying(`${CONTINUE}HTTP/1.1 204 No Content\r\n\r\n`),
    response(204, '', false),
  ],
  'that says 100 and closes': [sayingAll(CONTINUE), CLOSED],
  'that switches protocols': [
    saying('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    CLOSED,
  ],
  'whose body is as long as it may be': [
    saying(`${OK}content-length: ${MAX_BODY}\r\n\r\n${'b'.repeat(MAX_BODY)}`),
    response(200, 'b'.repeat(MAX_BODY), false),
  ],
  'whose body is one byte longer': [
    saying(`${OK}content-length: ${MAX_BODY + 1}\r\n\r\n${'b'.repeat(MAX_BODY + 1)}`),
    response(200, 'b'.repeat(MAX_BODY), true),
  ],
  'whose body never ends': [
    (socket) => {
      socket.write(`${OK}\r\n`);
      endless('b'.repeat(1000))(socket);
    },
    response(200, 'b'.repeat(MAX_BODY), true),
  ],
  'that closes within the body': [
    sayingAll(`${OK}content-length: 100\r\n\r\nbody`),
    response(200, 'body', true),
  ],
  'whose body ends when it closes': [
    sayingAll(`HTTP/1.0 200 OK\r\n\r\nbody`),
    response(200, 'body', false),
  ],
  'that answers without a body': [
    saying('HTTP/1.1 204 No Content\r\n\r\n'),
    response(204, '', false),
  ],
  'that says more than it was asked': [
    saying(`${OK}content-length: 2\r\n\r\nokHTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n`),
    response(200, 'ok', false),
  ],
};

/** Peers without a TLS handshake. */
const PLAIN_PEERS: Record<string, [peer: Peer, outcome: Outcome]> = {
  'that closes before TLS': [(socket) => socket.destroy(), unreached(CLOSED)],
  'that speaks plain HTTP': [
    saying(`${OK}content-length: 0\r\n\r\n`),
    unreached(failure('TLS failed')),
  ],
};

const CUT_BODY = response(200, 'body', true);
/** Peers that only the deadline ends. */
const SLOW_PEERS: Record<string, [peer: Peer, outcome: Outcome]> = {
  'that never answers': [() => {}, LATE],
  'that stops within the status line': [dripping('H'), LATE],
  'that drips headers': [dripping(OK, 'x: y\r\n'), LATE],
  'that says 100 for ever': [dripping('', CONTINUE), LATE],
  'that stops within the body': [dripping(`${OK}content-length: 100\r\n\r\nbody`), CUT_BODY],
  'that drips chunk extensions': [
    dripping(`${OK}transfer-encoding: chunked\r\n\r\n4\r\nbody\r\n1`, ';a=b'),
    CUT_BODY,
  ],
};
const SLOW_PLAIN_PEERS: Record<string, [peer: Peer, outcome: Outcome]> = {
  'that never speaks TLS': [() => {}, unreached(LATE)],
  'that drips TLS': [dripping('\x16\x03\x03\x40\0', '\0'), unreached(LATE)],
};

for (const [peers, isSecure, patienceMs] of [
  [PEERS, true, PATIENCE],
  [PLAIN_PEERS, false, PATIENCE],
  [SLOW_PEERS, true, 3000],
  [SLOW_PLAIN_PEERS, false, 500],
] as const) {
  // Concurrent, because the slow ones spend their time waiting for the deadline.
  describe('a peer', { concurrency: true }, () => {
    for (const [name, [peer, expected]] of Object.entries(peers)) {
      test(name, (context) => assertOutcome(context, peer, isSecure, patienceMs, expected));
    }
  });
}

/** Asserts the outcome by the deadline, and that nothing stays open after it. */
async function assertOutcome(
  context: TestContext,
  peer: Peer,
  isSecure: boolean,
  patienceMs: number,
  expected: Outcome,
): Promise<void> {
  const options = { address: '127.0.0.1', ...(isSecure && { pair: trusted }) };
  const { port, open } = await listen(context, peer, options);
  const next = await callbacksFor(context);
  const hub = openOutbound(context);
  const began = performance.now();
  assert.deepEqual(await send(hub, port, patienceMs), expected);
  assert.ok(performance.now() - began < patienceMs + MARGIN);
  const { kind } = await send(hub, Number(new URL(next.url()).port), PATIENCE);
  assert.equal(kind, 'response');
  await eventually(() => open() === 0);
}

const CERTIFICATES = [
  ['for another host', 'peer.example', testCa(), 'the certificate is for another host'],
  ['for another address', '127.0.0.2', testCa(), 'the certificate is for another host'],
  ['of an unknown authority', '127.0.0.1', makeTestCa(), 'the certificate is not trusted'],
] as const;
for (const [name, host, issuer, reason] of CERTIFICATES) {
  test(`a certificate ${name} is refused before a byte of the request`, async (context) => {
    const peer = await callbacksFor(context, { issuer, hostnames: [host] });
    const { port } = new URL(peer.url());
    const outcome = await send(openOutbound(context), Number(port), PATIENCE);
    assert.deepEqual(outcome, unreached(failure(reason)));
    assert.equal(peer.requests.length, 0);
  });
}

test('a certificate counts for the name, not for the address it leads to', async (context) => {
  const peer = await callbacksFor(context, { hostnames: ['peer.example'] });
  const hub = openOutbound(context, { lookup: async () => ['127.0.0.1'] });
  const { port } = new URL(peer.url());
  const ask = (host: string) =>
    hub.send({ method: 'GET', url: `https://${host}:${port}/`, headers: {}, maxBody: 0 });
  assert.equal((await ask('peer.example.')).kind, 'response');
  const reason = 'the certificate is for another host';
  assert.deepEqual(await ask('other.example'), unreached(failure(reason)));
  const hosts = peer.requests.map(({ headers }) => headers.host);
  assert.deepEqual(hosts, [`peer.example:${port}`]);
});
