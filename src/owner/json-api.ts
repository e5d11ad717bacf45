import ky, { HTTPError, TimeoutError, type Options } from 'ky';
import type { z } from 'zod';

/** Thrown when an API does not answer as documented. The message names the API, on one line. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

interface ApiOptions {
  /** The name of the platform, as messages show it. */
  platform: string;
  /** Values that no message may contain. */
  secrets: readonly string[];
  /** Returns advice for a status and the API's own words. */
  advice: (status: number, detail: string) => string | undefined;
}

/** A request for which the API asks a longer wait than this fails at once. */
const LONGEST_WAIT_MS = 5 * 60_000;
/** One request takes no longer than this, with all its attempts and the waits between them. */
const TOTAL_TIMEOUT_MS = 10 * 60_000;
const ATTEMPTS = 5;
const TIMEOUT_MS = 30_000;
const DETAIL_MAX_LENGTH = 200;
const LONG_WORD = /[^\s"'()]{16,}/g;

/**
 * Reads JSON from an API. Timeouts, 429 and 5xx are tried again, after the time that Retry-After
 * names or with growing pauses. Redirects are refused, because they would pass on credentials.
 */
export class JsonApi {
  readonly #options: ApiOptions;
  readonly #secrets: Set<string>;
  readonly #client;

  constructor(options: ApiOptions) {
    this.#options = options;
    this.#secrets = new Set(options.secrets);
    this.#client = ky.create({
      redirect: 'error',
      timeout: TIMEOUT_MS,
      totalTimeout: TOTAL_TIMEOUT_MS,
      retry: {
        limit: ATTEMPTS - 1,
        methods: ['get', 'post'],
        retryOnTimeout: true,
        backoffLimit: TIMEOUT_MS,
        maxRetryAfter: LONGEST_WAIT_MS,
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
    if (error instanceof ApiError) return error;
    if (error instanceof HTTPError) {
      const { status } = error.response;
      const detail = this.#shown(detailOf(error.data));
      const wait = waitOf(error);
      const advice =
        wait > LONGEST_WAIT_MS
          ? `asks to wait ${Math.ceil(wait / 60_000)} minutes: try again later`
          : this.#options.advice(status, detail);
      return this.#error([`answered ${status}`, detail, advice].filter(Boolean).join(': '), status);
    }
    if (error instanceof SyntaxError) return this.#error('answered with broken JSON');
    if (error instanceof TimeoutError) return this.#error('did not answer in time');
    const { cause } = error as Error;
    const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
    const { message } = (reason ?? error) as Error;
    return this.#error(`cannot be reached: ${this.#withoutSecrets(message)}`);
  }

  /** The original error is not passed on as the cause: it has the request with its headers. */
  #error(message: string, status?: number): ApiError {
    return new ApiError(`${this.#options.platform} ${message}`, status);
  }

  /**
   * Returns words of the API as a message may show them: short, on one line, without secrets and without
   * long words, which may be a secret in any encoding.
   */
  #shown(words: string): string {
    const shown = this.#withoutSecrets(words).replaceAll(LONG_WORD, '[secret]');
    return shown.replaceAll(/\s+/g, ' ').trim().slice(0, DETAIL_MAX_LENGTH).toWellFormed();
  }

  #withoutSecrets(text: string): string {
    return [...this.#secrets].reduce((shown, secret) => shown.replaceAll(secret, '[secret]'), text);
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
  return found ?? '';
}

/** Returns the milliseconds that Retry-After asks for (RFC 9110, section 10.2.3). */
function waitOf(error: unknown): number {
  const value = error instanceof HTTPError ? error.response.headers.get('retry-after') : null;
  if (value === null) return 0;
  return /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now() || 0;
}
