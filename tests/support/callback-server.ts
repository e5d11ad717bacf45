import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { eventually } from './eventually.ts';
import { startListening } from './listeners.ts';
import { testCa, type TestCa } from './test-ca.ts';

/** A request as it arrived. */
export interface Received {
  method: string;
  /** The request target with its query, byte for byte. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export type Handler = (request: Received, response: ServerResponse) => unknown;

export type Callbacks = Awaited<ReturnType<typeof startCallbacks>>;

/**
 * Listens on a free port for the callbacks of subscribers, over real HTTPS, and records what comes. Each
 * loopback address is an origin of its own; a certificate has the address unless it has other names.
 */
export async function startCallbacks(
  ca: TestCa,
  {
    address = '127.0.0.1',
    hostnames = [address],
  }: { address?: string; hostnames?: readonly string[] } = {},
) {
  let handler: Handler = subscriber;
  let hook: (request: IncomingMessage) => unknown = () => {};
  const requests: Received[] = [];
  const server = createServer(ca.issue(hostnames), async (request, response) => {
    const { method, url, headers } = request;
    await hook(request);
    const body = await buffer(request).catch(() => undefined);
    if (!body) return; // the hub went away
    const received = { method: method!, path: url!, headers, body };
    requests.push(received);
    await handler(received, response);
  });
  const { port, opened, open, close } = await startListening(server, address);

  return {
    /** @param path of a callback, with a query if it has one */
    url: (path = '/') => `https://${address}:${port}${path}`,
    /** Oldest first. */
    requests,
    /** Replaces the handler, which by default is a well-behaved subscriber. */
    handle: (next: Handler) => {
      handler = next;
    },
    /** Waits for this before the body of a request is read. */
    beforeBody: (next: typeof hook) => {
      hook = next;
    },
    /** Returns the first matching request, whether it came or is still to come. */
    waitFor: async (predicate: (request: Received) => boolean): Promise<Received> => {
      await eventually(() => requests.some(predicate));
      return requests.find(predicate)!;
    },
    opened,
    open,
    close,
  };
}

/** Listens for callbacks until the test ends. */
export async function callbacksFor(
  context: { after: (close: () => Promise<void>) => void },
  options: Parameters<typeof startCallbacks>[1] & { issuer?: TestCa } = {},
): Promise<Callbacks> {
  const callbacks = await startCallbacks(options.issuer ?? testCa(), options);
  context.after(() => callbacks.close());
  return callbacks;
}

/** Confirms verifications (W3C WebSub, section 5.3) and acknowledges deliveries. */
export const subscriber: Handler = ({ method, path }, response) => {
  const challenge = new URL(path, 'https://callback.example').searchParams.get('hub.challenge');
  if (method === 'GET' && challenge !== null) response.end(challenge);
  else response.writeHead(204).end();
};
