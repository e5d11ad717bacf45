import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';

/**
 * Renders the page at a path from `locals` alone.
 *
 * @throws if rendering fails
 */
export type RenderPage = (path: string, locals: object) => Promise<Buffer>;

/** The build's output: Astro's Node handler in middleware mode. */
type NodeHandler = (
  request: IncomingMessage,
  response: unknown,
  next: undefined,
  locals: object,
) => Promise<void>;

/**
 * Returns a function that renders pages with the code of a build. The code is loaded with the first
 * page, because loading takes longer than the rest of a start.
 *
 * @param entry the file `entry.mjs` of the server bundle
 */
export function pageRenderer(entry: string): RenderPage {
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
      // Astro keeps a request in memory until its socket closes.
      request.socket.destroy();
    }
    if (response.statusCode !== 200) throw new Error(`${path} rendered as ${response.statusCode}`);
    return Buffer.concat(response.chunks);
  };
}

/**
 * Imports the handler and removes its listener, which would swallow every rejection of the process.
 */
async function importHandler(entry: string): Promise<NodeHandler> {
  const before = new Set(process.listeners('unhandledRejection'));
  const { handler } = (await import(pathToFileURL(entry).href)) as { handler: NodeHandler };
  for (const listener of process.listeners('unhandledRejection')) {
    if (!before.has(listener)) process.off('unhandledRejection', listener);
  }
  return handler;
}

/** Creates a request, so that nothing a client sent, such as headers, reaches the page. */
function pageRequest(path: string): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.method = 'GET';
  request.url = path;
  return request;
}

/** The part of ServerResponse that the handler uses; keeps the body, so that it can get an ETag. */
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
