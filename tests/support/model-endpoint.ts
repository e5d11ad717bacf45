import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer of the test model: the content of the message, or a status with headers. */
export type Reply = string | { status: number; headers?: Record<string, string>; body?: string };

export interface ModelEndpoint {
  url: string;
  /** Bodies of all requests, as text. */
  bodies: string[];
  /** Maximum number of concurrent requests. */
  readonly mostAtOnce: number;
}

/**
 * Listens on loopback as an endpoint compatible with OpenAI's until the test ends.
 *
 * @param reply returns the answer for the words of a review, after as long as it likes
 */
export async function modelEndpoint(
  context: { after: (stop: () => Promise<void>) => void },
  reply: (words: string, request: number) => Reply | Promise<Reply>,
): Promise<ModelEndpoint> {
  const bodies: string[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  const server = createServer(async (request, response) => {
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    const body = Buffer.concat(await request.toArray()).toString();
    const { messages } = JSON.parse(body) as { messages: { content: string }[] };
    const answer = await reply(messages[1]!.content, bodies.push(body));
    atOnce--;
    if (typeof answer !== 'string') {
      response.writeHead(answer.status, answer.headers).end(answer.body);
      return;
    }
    const usage = { prompt_tokens: 400, completion_tokens: 50 };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ choices: [{ message: { content: answer } }], usage }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    bodies,
    get mostAtOnce() {
      return mostAtOnce;
    },
  };
}
