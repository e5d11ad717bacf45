import type { Readable } from 'node:stream';
import { FastResponse } from 'srvx';
import type { HeaderPairs } from '../../src/http.ts';

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
    super(body as BodyInit | null, { status, headers: pairs });
    this.pairs = pairs;
    this.#empty = body === null;
  }

  /** h3 reads the body of a response to HEAD, which would turn it into an ordinary `Response`. */
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

/** Adds a header to a response whose headers nobody has read yet. */
export function addHeader(response: Response, name: string, value: string): Response {
  if (response instanceof PairsResponse) response.pairs.push([name, value]);
  else response.headers.set(name, value);
  return response;
}

/** Returns a response whose body is read as fast as the client takes it. */
export function stream(status: number, headers: HeaderPairs, body: Readable): Response {
  return new PairsResponse(body, status, headers);
}
