import { setTimeout as delay } from 'node:timers/promises';
import { MCP_PATH, REVIEWS_PATH, SINCE_PATH } from '../../src/paths.ts';
import type { ReviewsDataset } from '../../src/schema/dataset.ts';
import type { SearchFilters, SearchResult } from '../../src/schema/search.ts';
import { queryPath } from '../bench/query-mix.ts';
import { initialize, MCP_HEADERS, request } from '../support/mcp.ts';
import type { Random } from '../support/random.ts';
import type { SlimEdition } from '../support/slim-edition.ts';
import type { Replica } from './replica.ts';
import type { Variants } from './variants.ts';

const TIMEOUT_MS = 10_000;
const PAUSE_MS = 40;

/** What readers met, all together. */
export class Tally {
  answers = 0;
  /** What was wrong, where nothing was killed. */
  readonly wrong: string[] = [];
  readonly failed: string[] = [];
  /** Failures of a replica that was down. */
  duringKills = 0;
  /** How long answers took, in milliseconds. */
  readonly times: number[] = [];
}

/** A client that asks everything there is to read, and looks whether the answers are right. */
export class Reader {
  readonly #replicas: readonly Replica[];
  readonly #edition: SlimEdition;
  readonly #variants: Variants;
  readonly #questions: readonly SearchFilters[];
  readonly #random: Random;
  #session: string | undefined;

  constructor(
    replicas: readonly Replica[],
    edition: SlimEdition,
    variants: Variants,
    questions: readonly SearchFilters[],
    random: Random,
  ) {
    this.#replicas = replicas;
    this.#edition = edition;
    this.#variants = variants;
    this.#questions = questions;
    this.#random = random;
  }

  async readUntil(over: AbortSignal, tally: Tally): Promise<void> {
    while (!over.aborted) {
      await this.#read(tally);
      await delay(this.#random.below(PAUSE_MS));
    }
  }

  async #read(tally: Tally): Promise<void> {
    const ask = this.#random.pick(this.#kinds);
    const replica = this.#random.pick(this.#replicas);
    const began = performance.now();
    try {
      const { what, right } = await ask(replica.url);
      tally.answers++;
      tally.times.push(performance.now() - began);
      if (!right) tally.wrong.push(what);
    } catch (error) {
      if (replica.wasDownSince(began)) tally.duringKills++;
      else tally.failed.push(`${(error as Error).message} ${(error as Error).cause ?? ''}`);
    }
  }

  readonly #search = async (url: string) => {
    const filters = this.#random.pick(this.#questions);
    const answer = (await (await ok(url + queryPath(filters))).json()) as SearchResult;
    const right = this.#variants.isSearchAnswer(filters, answer);
    return { what: `search ${JSON.stringify(filters)}`, right };
  };

  readonly #since = async (url: string) => {
    const date = this.#random.pick(this.#questions).since ?? '2026-06-01';
    const answer = (await (await ok(`${url}${SINCE_PATH}/${date}`)).json()) as ReviewsDataset;
    return { what: `since ${date}`, right: this.#variants.isListingSince(date, answer) };
  };

  readonly #document = async (url: string) => {
    const text = await (await ok(url + REVIEWS_PATH)).text();
    return { what: REVIEWS_PATH, right: this.#variants.isDocument(text) };
  };

  readonly #feed = async (url: string) => {
    const bytes = Buffer.from(await (await ok(`${url}/feed.xml`)).arrayBuffer());
    return { what: '/feed.xml', right: this.#edition.isFeed(bytes) };
  };

  readonly #mcp = async (url: string) => {
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

  /** As often as they stand here. */
  readonly #kinds = [
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

/** @throws where there is no 200 */
async function ok(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.status === 200) return response;
  throw new Error(`${response.status} for ${url}`);
}

function post(url: string, message: object, headers: Record<string, string> = {}) {
  const body = JSON.stringify(message);
  return ok(url + MCP_PATH, { method: 'POST', headers: { ...MCP_HEADERS, ...headers }, body });
}
