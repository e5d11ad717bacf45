import type { Readable } from 'node:stream';
import { FastResponse } from 'srvx';
import { dataHeaders, type HeaderPairs } from '../../src/http.ts';
import { JSON_TYPE } from '../../src/paths.ts';
import type { ErrorBody } from '../../src/schema/error.ts';

/**
 * A response whose headers are already pairs. srvx's FastResponse hands them to Node as they are;
 * a `Response` would parse them into a Headers object first.
 */
class PairsResponse extends FastResponse {
  readonly pairs: HeaderPairs;
  readonly #empty: boolean;

  constructor(body: unknown, status: number, headers: HeaderPairs) {
    const pairs = [...headers];
    super(body as BodyInit | null, { status, headers: pairs });
    this.pairs = pairs;
    this.#empty = body === null;
  }

  /** h3 looks at the body of an answer to HEAD, which would make it an ordinary `Response`. */
  override get body(): Response['body'] {
    return this.#empty ? null : super.body;
  }
}

export function respond(
  status: number,
  headers: HeaderPairs,
  body: Buffer | string | null,
): Response {
  return new PairsResponse(body, status, headers);
}

/** The same response with one more header; it must not have been looked into yet. */
export function addHeader(response: Response, name: string, value: string): Response {
  if (response instanceof PairsResponse) response.pairs.push([name, value]);
  else response.headers.set(name, value);
  return response;
}

/** A JSON error; never carries anything the client sent. */
export function errorResponse(
  status: number,
  body: ErrorBody,
  headers: Record<string, string> = {},
): Response {
  const bytes = Buffer.from(`${JSON.stringify(body)}\n`);
  const all = { ...dataHeaders(JSON_TYPE, 'no-store'), ...headers };
  return respond(status, [...Object.entries(all), ['content-length', String(bytes.length)]], bytes);
}

/** A response that Node reads from disk as the client takes it. */
export function stream(status: number, headers: HeaderPairs, body: Readable): Response {
  return new PairsResponse(body, status, headers);
}
