import { access } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import type { Logger } from '../base/log.ts';

/**
 * Makes the page at a path of what `locals` holds, which is all it is told.
 *
 * @throws when the page cannot be made
 */
export type RenderPage = (path: string, locals: object) => Promise<Buffer>;

/** What the build leaves: Astro's Node handler in middleware mode. */
type NodeHandler = (
  request: IncomingMessage,
  response: unknown,
  next: undefined,
  locals: object,
) => Promise<void>;

/**
 * Finds the code that renders pages on demand; undefined, and a line in the log, without it. It is
 * loaded when the first page is, since that takes longer than all the rest of a start.
 */
export async function findRenderer(
  folder: string,
  logger: Logger,
): Promise<RenderPage | undefined> {
  const entry = join(folder, 'entry.mjs');
  const there = await access(entry).then(
    () => true,
    () => false,
  );
  if (!there) {
    logger.log('warn', 'no code for pages on demand: /search/ answers 503', { folder });
    return undefined;
  }
  let loaded: Promise<NodeHandler> | undefined;
  return async (path, locals) => {
    const handler = await (loaded ??= importHandler(entry).catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
    const request = pageRequest(path);
    const response = new CapturedResponse(request);
    try {
      await Promise.all([handler(request, response, undefined, locals), finished(response)]);
    } finally {
      // Astro keeps all of a request in memory until its socket closes.
      request.socket.destroy();
    }
    if (response.statusCode !== 200) throw new Error(`${path} rendered as ${response.statusCode}`);
    return Buffer.concat(response.chunks);
  };
}

/** The handler's module listens for every rejection of the process and drops it; it must not. */
async function importHandler(entry: string): Promise<NodeHandler> {
  const before = new Set(process.listeners('unhandledRejection'));
  const { handler } = (await import(pathToFileURL(entry).href)) as { handler: NodeHandler };
  for (const listener of process.listeners('unhandledRejection')) {
    if (!before.has(listener)) process.off('unhandledRejection', listener);
  }
  return handler;
}

/** A request of our own: what a client sent, its headers above all, never reaches the page. */
function pageRequest(path: string): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.method = 'GET';
  request.url = path;
  return request;
}

/** As much of a ServerResponse as the handler uses; keeps the body, so that it can be validated. */
class CapturedResponse extends Writable {
  statusCode = 200;
  statusMessage = '';
  headersSent = false;
  readonly req: IncomingMessage;
  readonly chunks: Buffer[] = [];

  constructor(request: IncomingMessage) {
    super();
    this.req = request;
  }

  writeHead(status: number): this {
    this.statusCode = status;
    this.headersSent = true;
    return this;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(chunk);
    done();
  }
}
