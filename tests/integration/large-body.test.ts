import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { MCP_HEADERS } from '../support/mcp.ts';
import { listenOnFreePort, sampleApp } from '../support/targets.ts';

// Closing a connection with unread bytes resets it, and a proxy in between would send a 502.

const PIECE = ' '.repeat(64 * 1024);
const PIECES = 16;
const DOORS = {
  '/mcp': { ...MCP_HEADERS },
  '/api/websub/hub': { 'content-type': 'application/x-www-form-urlencoded' },
};
const FRAMINGS: Record<string, { head: string; pieces: string[] }> = {
  'a stated length': {
    head: `Content-Length: ${PIECE.length * PIECES}`,
    pieces: Array.from({ length: PIECES }, () => PIECE),
  },
  chunks: {
    head: 'Transfer-Encoding: chunked',
    pieces: [
      ...Array.from({ length: PIECES }, () => `${PIECE.length.toString(16)}\r\n${PIECE}\r\n`),
      '0\r\n\r\n',
    ],
  },
};

for (const [path, headers] of Object.entries(DOORS)) {
  for (const [framing, { head, pieces }] of Object.entries(FRAMINGS)) {
    test(`${path}: a body too large with ${framing} is 413 before it ends, and the connection goes on`, async (context) => {
      const { write, answer } = await connected(context);
      const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${fields.join('')}${head}\r\n\r\n`);
      for (const piece of pieces.slice(0, 8)) write(piece);
      assert.match(await answer(), /^HTTP\/1\.1 413 /);
      for (const piece of pieces.slice(8)) write(piece);
      write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
      assert.match(await answer(), /^HTTP\/1\.1 200 /);
    });
  }
}

/**
 * Opens a connection to a sidecar.
 *
 * @returns `answer`, which reads the head of the next response
 */
async function connected(context: TestContext) {
  const server = await listenOnFreePort(await sampleApp());
  context.after(() => server.close());
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  context.after(() => void socket.destroy());
  await once(socket, 'connect');
  let received = '';
  let ended: Error | undefined;
  let wake = (): void => {};
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
    wake();
  });
  socket.on('error', (error) => (ended = error));
  socket.on('close', () => {
    ended ??= new Error('the connection was closed');
    wake();
  });
  const answer = async (): Promise<string> => {
    for (;;) {
      const end = received.indexOf('\r\n\r\n');
      const start = received.indexOf('HTTP/1.1 ');
      if (end > start && start >= 0) {
        const head = received.slice(start, end);
        received = received.slice(end + 4);
        return head;
      }
      if (ended) throw ended;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return { write: (text: string) => void socket.write(text), answer };
}
