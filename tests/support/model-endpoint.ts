import { serve } from './serve.ts';
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
  context: Parameters<typeof serve>[0],
  reply: (words: string, request: number) => Reply | Promise<Reply>,
): Promise<ModelEndpoint> {
  const bodies: string[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  const url = await serve(context, async (request, response) => {
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
  return {
    url: `${url}/v1`,
    bodies,
    get mostAtOnce() {
      return mostAtOnce;
    },
  };
}
