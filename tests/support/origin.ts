import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { strongETag } from '../../src/edition/etag.ts';
import { startListening } from './listeners.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A web server for the files of a folder, which a test can make fail in any way. */
export class Origin {
  readonly #folder: string;
  #listening: Awaited<ReturnType<typeof startListening>> | undefined;
  #port = 0;
  /** Handlers by path that replace sending the file. */
  readonly instead = new Map<string, Answer>();
  /** Requested paths, in order. */
  readonly requests: string[] = [];
  /** Maximum number of concurrent requests. */
  mostAtOnce = 0;
  #underWay = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Listens on a free port of loopback until the test ends. */
  static async start(
    context: { after: (stop: () => Promise<void>) => void },
    folder: string,
  ): Promise<Origin> {
    const origin = new Origin(folder);
    await origin.comeBack();
    context.after(() => origin.die());
    return origin;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Closes every connection and stops listening. */
  async die(): Promise<void> {
    await this.#listening?.close();
    this.#listening = undefined;
  }

  /** Listens again, on the same port. */
  async comeBack(): Promise<void> {
    const server = createServer((request, response) => void this.#answer(request, response));
    this.#listening = await startListening(server, '127.0.0.1', this.#port);
    this.#port = this.#listening.port;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!;
    this.requests.push(path);
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#underWay);
    response.once('close', () => this.#underWay--);
    const instead = this.instead.get(path);
    if (instead) return instead(request, response);
    const file = path.endsWith('/') ? `${path}index.html` : path;
    const bytes = await readFile(join(this.#folder, file)).catch(() => undefined);
    if (!bytes) {
      response.writeHead(404).end('nothing here');
      return;
    }
    const etag = strongETag(bytes);
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else response.writeHead(200, { etag, 'content-length': bytes.length }).end(bytes);
  }
}
