import { STATUS_CODES } from 'node:http';
import type { Readable } from 'node:stream';
import type { H3Event } from 'h3';
import { FastResponse } from 'srvx';
import { conditionStatus, type Validators } from '../../src/edition/conditional.ts';
import { CACHE_NOTHING, dataHeaders, type HeaderPairs } from '../../src/http.ts';
import { JSON_TYPE } from '../../src/paths.ts';
import { errorOf, type ErrorBody } from '../../src/schema/error.ts';

export type Answer = Response | Promise<Response>;

/**
 * A response whose headers are pairs already. srvx's FastResponse passes them to Node unchanged; a
 * `Response` would parse them into a Headers object first.
 */
class PairsResponse extends FastResponse {
  readonly pairs: HeaderPairs;
  readonly #empty: boolean;

  constructor(body: unknown, status: number, headers: HeaderPairs) {
    const pairs = [...headers];
    const statusText = STATUS_CODES[status]!;
    super(body as BodyInit | null, { status, statusText, headers: pairs });
    this.pairs = pairs;
    this.#empty = body === null;
  }

  /** h3 reads the body of a response to HEAD, which would turn it into an ordinary `Response`. */
  override get body(): Response['body'] {
    return this.#empty ? null : super.body;
  }
}

/** Returns a response; a body that is a stream is read as fast as the client takes it. */
export function respond(
  status: number,
  headers: HeaderPairs,
  body: Buffer | string | Readable | null,
): Response {
  return new PairsResponse(body, status, headers);
}

/** Adds a header to a response whose headers nobody has read yet. */
export function addHeader(response: Response, name: string, value: string): Response {
  if (response instanceof PairsResponse) response.pairs.push([name, value]);
  else response.headers.set(name, value);
  return response;
}

/** Returns an error as JSON. No error response contains anything that the client sent. */
export function errorResponse(
  status: number,
  body: ErrorBody,
  headers: Record<string, string> = {},
): Response {
  const bytes = Buffer.from(`${JSON.stringify(body)}\n`);
  const all = { ...dataHeaders(JSON_TYPE, CACHE_NOTHING), ...headers };
  return respond(status, [...Object.entries(all), ['content-length', String(bytes.length)]], bytes);
}

/**
 * Answers a request that its own conditions end: with 304, or with 412 for another version.
 *
 * @param notModified headers of a 304
 */
export function endByCondition(
  { req }: H3Event,
  validators: Validators,
  notModified: () => HeaderPairs,
): Response | undefined {
  const status = conditionStatus(req.headers, validators);
  if (status === 304) return respond(304, notModified(), null);
  return status && errorResponse(status, errorOf('precondition_failed'));
}
