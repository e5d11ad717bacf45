import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Edition } from '../edition/edition.ts';
import { INVALID_PARAMS, McpError, REFUSED } from './message.ts';
import { resourceList, resourceText } from './resources.ts';

const MOST_STREAMS = 1_000;
const MOST_PER_ADDRESS = 20;
const RETRY_SECONDS = 60;
/** Shorter than the idle time after which proxies close a connection. */
const KEEP_ALIVE_MS = 15_000;
/** Most bytes that may wait for a client; a client that does not read is disconnected. */
const MOST_WAITING = 64 * 1024;

const ID_KEY = 'io.modelcontextprotocol/subscriptionId';

const params = z.looseObject({
  notifications: z.looseObject({
    resourcesListChanged: z.boolean().optional(),
    resourceSubscriptions: z.array(z.string()).optional(),
  }),
});

interface Subscription {
  id: RequestId;
  address: string;
  stream: Readable;
  /** Digests of the resources as the client knows them, by URI; the list of resources has none. */
  known: Map<string | undefined, string>;
}

/**
 * The streams of `subscriptions/listen` (MCP 2026-07-28, basic/patterns/subscriptions). A new edition
 * notifies of the resources whose content it changes. Nothing survives a lost connection: a client
 * that comes back reads its resources again.
 */
export class Subscriptions {
  readonly #edition: () => Edition;
  readonly #open = new Set<Subscription>();
  readonly #keepAlive: NodeJS.Timeout;
  #notified: Edition | undefined;

  /** @param keepAliveMs time between signs of life, shorter than the server's limit of silence */
  constructor(edition: () => Edition, keepAliveMs = KEEP_ALIVE_MS) {
    this.#edition = edition;
    const interval = Math.min(keepAliveMs, KEEP_ALIVE_MS);
    this.#keepAlive = setInterval(() => this.#sendAll(() => [':\n\n']), interval).unref();
  }

  /** Streams that are open. */
  get count(): number {
    return this.#open.size;
  }

  /**
   * Opens the stream of a request.
   *
   * @throws {McpError} -32602; 429 if there are too many streams
   */
  listen({ id, params: given }: JSONRPCRequest, address: string): Readable {
    const parsed = params.safeParse(given);
    if (!parsed.success) {
      const message = 'Invalid params: notifications must say what to listen for';
      throw new McpError(INVALID_PARAMS, message, { status: 400 });
    }
    const ofAddress = [...this.#open].filter((each) => each.address === address).length;
    if (ofAddress >= MOST_PER_ADDRESS || this.#open.size >= MOST_STREAMS) throw tooMany();

    const { resourceSubscriptions, resourcesListChanged } = parsed.data.notifications;
    const known: Subscription['known'] = new Map();
    for (const uri of [
      ...(resourcesListChanged ? [undefined] : []),
      ...(resourceSubscriptions ?? []),
    ]) {
      const digest = this.#digest(uri);
      if (digest !== undefined) known.set(uri, digest);
    }
    const uris = [...known.keys()].filter((uri) => uri !== undefined);
    const honored = {
      ...(known.has(undefined) && { resourcesListChanged }),
      ...(uris.length > 0 && { resourceSubscriptions: uris }),
    };
    const stream = new Readable({ read: () => {} });
    const subscription = { id, address, stream, known };
    stream.once('close', () => this.#open.delete(subscription));
    stream.push(
      notification(id, 'notifications/subscriptions/acknowledged', { notifications: honored }),
    );
    this.#open.add(subscription);
    return stream;
  }

  /** Notifies of what the current edition changed. */
  notify(): void {
    const edition = this.#edition();
    if (edition === this.#notified) return;
    this.#notified = edition;
    const digests = new Map<string | undefined, string>();
    this.#sendAll(({ id, known }) => {
      const events: string[] = [];
      for (const [uri, before] of known) {
        const now = digests.get(uri) ?? this.#digest(uri) ?? '';
        digests.set(uri, now);
        if (now === before) continue;
        known.set(uri, now);
        events.push(
          uri === undefined
            ? notification(id, 'notifications/resources/list_changed', {})
            : notification(id, 'notifications/resources/updated', { uri }),
        );
      }
      return events;
    });
  }

  /** Ends every stream with the result of its request. */
  close(): void {
    clearInterval(this.#keepAlive);
    for (const { id, stream } of this.#open) {
      const result = { resultType: 'complete', _meta: { [ID_KEY]: id } };
      stream.push(event({ jsonrpc: '2.0', id, result }));
      stream.push(null);
    }
  }

  #sendAll(eventsFor: (subscription: Subscription) => string[]): void {
    for (const subscription of this.#open) {
      const { stream } = subscription;
      for (const each of eventsFor(subscription)) stream.push(each);
      if (stream.readableLength > MOST_WAITING) stream.destroy();
    }
  }

  /** Returns the digest of a resource, or of the list; undefined if there is no such resource. */
  #digest(uri: string | undefined): string | undefined {
    const edition = this.#edition();
    const text =
      uri === undefined ? JSON.stringify(resourceList(edition)) : resourceText(uri, edition);
    return text && createHash('sha256').update(text).digest('base64');
  }
}

function notification(id: RequestId, method: string, params: object): string {
  return event({ jsonrpc: '2.0', method, params: { _meta: { [ID_KEY]: id }, ...params } });
}

/** Writes a message as a server-sent event; JSON has no raw line breaks. */
function event(message: object): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

function tooMany(): McpError {
  const headers = { 'retry-after': String(RETRY_SECONDS) };
  return new McpError(REFUSED, 'Too many subscriptions; see Retry-After', { status: 429, headers });
}
