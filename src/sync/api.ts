import ky, { HTTPError, TimeoutError, type Options } from 'ky';
import type { z } from 'zod';
import type { Row } from '../import/draft.ts';

/** Thrown when an API does not answer as documented. The message names the platform. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number | undefined;

  constructor(message: string, status?: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

interface ApiOptions {
  /** The platform's name, as messages show it. */
  platform: string;
  /** Values that no message may contain. */
  secrets: readonly string[];
  /** Returns advice for a status and the API's own words. */
  advice: (status: number, detail: string) => string | undefined;
  fetch?: typeof globalThis.fetch | undefined;
}

/** A wait that the API asks for and that is longer than this ends the sync instead. */
const LONGEST_WAIT_MS = 5 * 60_000;
const ATTEMPTS = 5;
const TIMEOUT_MS = 30_000;
const DETAIL_MAX_LENGTH = 200;

/**
 * Reads JSON from an API. Timeouts, 429 and 5xx are tried again, after the time that Retry-After
 * names or with growing pauses. Redirects are refused, because they would pass on credentials.
 */
export class Api {
  readonly #options: ApiOptions;
  readonly #secrets: Set<string>;
  readonly #client;

  constructor(options: ApiOptions) {
    this.#options = options;
    this.#secrets = new Set(options.secrets);
    this.#client = ky.create({
      redirect: 'error',
      timeout: TIMEOUT_MS,
      ...(options.fetch && { fetch: options.fetch }),
      retry: {
        limit: ATTEMPTS - 1,
        methods: ['get', 'post'],
        retryOnTimeout: true,
        backoffLimit: TIMEOUT_MS,
        shouldRetry: ({ error }) => (waitOf(error) > LONGEST_WAIT_MS ? false : undefined),
      },
    });
  }

  /** Adds a value that was received and that no message may contain. */
  keepSecret(value: string): void {
    this.#secrets.add(value);
  }

  /** @throws {ApiError} unless the answer is 2xx and of this shape */
  async json<T>(url: string, schema: z.ZodType<T>, options: Options = {}): Promise<T> {
    let body: unknown;
    try {
      body = await this.#client(url, options).json();
    } catch (error) {
      throw this.#explain(error);
    }
    const parsed = schema.safeParse(body);
    if (parsed.success) return parsed.data;
    const { path, message } = parsed.error.issues[0]!;
    throw this.#error(`the response is not as documented: ${path.join('.')}: ${message}`);
  }

  #explain(error: unknown): ApiError {
    if (error instanceof HTTPError) {
      const { status } = error.response;
      const detail = detailOf(error.data);
      const wait = waitOf(error);
      const advice =
        wait > LONGEST_WAIT_MS
          ? `asks to wait ${Math.ceil(wait / 60_000)} minutes: sync again later`
          : this.#options.advice(status, detail);
      return this.#error([`answered ${status}`, detail, advice].filter(Boolean).join(': '), status);
    }
    if (error instanceof SyntaxError) return this.#error('answered with broken JSON');
    if (error instanceof TimeoutError) return this.#error('did not answer in time');
    const { cause } = error as Error;
    const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
    return this.#error(`cannot be reached: ${((reason ?? error) as Error).message}`);
  }

  /** The original error is not passed on as the cause: it has the request with its headers. */
  #error(message: string, status?: number): ApiError {
    let shown = `${this.#options.platform} ${message}`;
    for (const secret of this.#secrets) shown = shown.replaceAll(secret, '[secret]');
    return new ApiError(shown, status);
  }
}

/** Returns an API's error text: Google's `error.message`, OAuth's `error`, or others. */
function detailOf(data: unknown): string {
  if (typeof data !== 'object' || data === null) return '';
  const { error, message, details } = data as Record<string, unknown>;
  const inner = typeof error === 'object' && error !== null ? error : { message: error };
  const found = [(inner as { message?: unknown }).message, message, details].find(
    (text) => typeof text === 'string' && text !== '',
  ) as string | undefined;
  return found?.slice(0, DETAIL_MAX_LENGTH) ?? '';
}

/** Returns the milliseconds that Retry-After asks for (RFC 9110, section 10.2.3). */
function waitOf(error: unknown): number {
  const value = error instanceof HTTPError ? error.response.headers.get('retry-after') : null;
  if (value === null) return 0;
  return /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now() || 0;
}

interface TokenPage {
  reviews: readonly unknown[];
  nextPageToken?: string | null | undefined;
}

/** Yields page after page, as long as the last one names another. */
export async function* followTokens<P extends TokenPage>(
  platform: string,
  read: (pageToken: string | undefined) => Promise<P>,
): AsyncGenerator<P> {
  let token: string | undefined;
  for (;;) {
    const page = await read(token);
    yield page;
    if (!page.nextPageToken || page.reviews.length === 0) return;
    if (page.nextPageToken === token) {
      throw new ApiError(`${platform} returned the same page again: sync again later`);
    }
    token = page.nextPageToken;
  }
}

/** Reviews as the API of a platform returned them. */
export interface Page {
  reviews: readonly Row[];
  /** The number of reviews on the platform, if the API tells. */
  total?: number | undefined;
}

/** One location or business unit whose reviews an API returns. */
export interface Listing {
  /** The platform's name, as messages show it. */
  platform: string;
  /** The platform as a `source` of reviews. */
  source: string;
  /** Names the listing in `imports.jsonl`. */
  file: string;
  /** Yields the reviews, newest first; in full in an order that loses none while it reads. */
  pages(options: { full: boolean }): AsyncGenerator<Page>;
}
