import { setTimeout as delay } from 'node:timers/promises';
import { strongETag } from '../../src/edition/etag.ts';
import { MCP_PATH, REVIEWS_PATH, SEARCH_PAGE_PATH, SINCE_PATH } from '../../src/paths.ts';
import type { ReviewsDataset } from '../../src/schema/dataset.ts';
import type { SearchFilters, SearchResult } from '../../src/schema/search.ts';
import { queryPath } from '../bench/query-mix.ts';
import { initialize, MCP_HEADERS, request } from '../support/mcp.ts';
import type { Random } from '../support/random.ts';
import { isFile, type RouteRequest } from '../support/routes.ts';
import type { SlimEdition } from '../support/slim-edition.ts';
import { askOnWire } from '../support/wire.ts';
import type { Replica } from './replica.ts';
import type { Variants } from './variants.ts';

const TIMEOUT_MS = 10_000;
const PAUSE_MS = 40;

/** The combined results of all readers. */
export class Tally {
  answers = 0;
  /** Wrong responses while nothing was killed. */
  readonly wrong: string[] = [];
  readonly failed: string[] = [];
  /** Failures while the replica was down. */
  duringKills = 0;
  /** Response times, in milliseconds. */
  readonly times: number[] = [];
  /** Correct responses to the example request of each route and kind of file. */
  readonly byKind = new Map<string, number>();
}

interface Read {
  what: string;
  right: boolean;
  /** The route or kind of file, for an example request. */
  kind?: string;
}

/** A client that reads everything there is and checks the responses. */
export class Reader {
  readonly #replicas: readonly Replica[];
  readonly #edition: SlimEdition;
  readonly #variants: Variants;
  readonly #questions: readonly SearchFilters[];
  readonly #routes: Iterator<RouteRequest>;
  readonly #random: Random;
  #session: string | undefined;

  constructor(
    replicas: readonly Replica[],
    edition: SlimEdition,
    variants: Variants,
    questions: readonly SearchFilters[],
    routes: Iterator<RouteRequest>,
    random: Random,
  ) {
    this.#replicas = replicas;
    this.#edition = edition;
    this.#variants = variants;
    this.#questions = questions;
    this.#routes = routes;
    this.#random = random;
  }

  async readUntil(over: AbortSignal, tally: Tally): Promise<void> {
    while (!over.aborted) {
      await this.#read(tally, this.#random.pick(this.#kinds));
      await delay(this.#random.below(PAUSE_MS));
    }
  }

  /** Requests the next `count` routes. */
  async readRoutes(count: number, tally: Tally): Promise<void> {
    for (let read = 0; read < count; read++) await this.#read(tally, this.#route);
  }

  async #read(tally: Tally, ask: (url: string) => Promise<Read>): Promise<void> {
    const replica = this.#random.pick(this.#replicas);
    const began = performance.now();
    try {
      const { what, right, kind } = await ask(replica.url);
      tally.answers++;
      tally.times.push(performance.now() - began);
      if (!right) tally.wrong.push(what);
      else if (kind !== undefined) tally.byKind.set(kind, (tally.byKind.get(kind) ?? 0) + 1);
    } catch (error) {
      if (replica.wasDownSince(began)) tally.duringKills++;
      else tally.failed.push(`${(error as Error).message} ${(error as Error).cause ?? ''}`);
    }
  }

  /** Requests the next route with its example request. */
  readonly #route = async (url: string): Promise<Read> => {
    const route = this.#routes.next().value as RouteRequest;
    const { status, headers, body } = await askOnWire(url, route);
    const whole = !isFile(route) || headers.get('etag') === strongETag(body);
    const right = status === route.status && whole;
    return { what: `${route.method} ${route.target}: ${status}`, right, kind: route.kind };
  };

  readonly #searchPage = async (url: string): Promise<Read> => {
    const filters = this.#random.pick(this.#questions);
    const query = new URL(queryPath(filters), url).search;
    const html = await (await ok(url + SEARCH_PAGE_PATH + query)).text();
    const right = this.#variants.isSearchPage(filters, html);
    return { what: `${SEARCH_PAGE_PATH}${query}`, right };
  };

  readonly #search = async (url: string): Promise<Read> => {
    const filters = this.#random.pick(this.#questions);
    const answer = (await (await ok(url + queryPath(filters))).json()) as SearchResult;
    const right = this.#variants.isSearchAnswer(filters, answer);
    return { what: `search ${JSON.stringify(filters)}`, right };
  };

  readonly #since = async (url: string): Promise<Read> => {
    const date = this.#random.pick(this.#questions).since ?? '2026-06-01';
    const answer = (await (await ok(`${url}${SINCE_PATH}/${date}`)).json()) as ReviewsDataset;
    return { what: `since ${date}`, right: this.#variants.isListingSince(date, answer) };
  };

  readonly #document = async (url: string): Promise<Read> => {
    const text = await (await ok(url + REVIEWS_PATH)).text();
    return { what: REVIEWS_PATH, right: this.#variants.isDocument(text) };
  };

  readonly #feed = async (url: string): Promise<Read> => {
    const bytes = Buffer.from(await (await ok(`${url}/feed.xml`)).arrayBuffer());
    return { what: '/feed.xml', right: this.#edition.isFeed(bytes) };
  };

  readonly #mcp = async (url: string): Promise<Read> => {
    this.#session ??= (await post(url, initialize())).headers.get('mcp-session-id')!;
    const filters = this.#random.pick(this.#questions);
    const call = request('tools/call', { name: 'search_reviews', arguments: filters });
    const response = await post(url, call, { 'mcp-session-id': this.#session });
    const { result } = (await response.json()) as {
      result: { content: [{ text: string }]; structuredContent: SearchResult };
    };
    const { structuredContent: answer, content } = result;
    const right =
      content[0].text === JSON.stringify(answer) && this.#variants.isSearchAnswer(filters, answer);
    return { what: `search_reviews ${JSON.stringify(filters)}`, right };
  };

  /** Drawn as often as they are listed. */
  readonly #kinds = [
    this.#route,
    this.#route,
    this.#route,
    this.#searchPage,
    this.#search,
    this.#search,
    this.#search,
    this.#mcp,
    this.#mcp,
    this.#feed,
    this.#feed,
    this.#since,
    this.#document,
  ];
}

/** @throws unless the status is 200 */
async function ok(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.status === 200) return response;
  throw new Error(`${response.status} for ${url}`);
}

function post(url: string, message: object, headers: Record<string, string> = {}) {
  const body = JSON.stringify(message);
  return ok(url + MCP_PATH, { method: 'POST', headers: { ...MCP_HEADERS, ...headers }, body });
}
