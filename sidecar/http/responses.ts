import { STATUS_CODES, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { H3Event } from 'h3';
import { FastResponse } from 'srvx';
import { sendNodeResponse } from 'srvx/node';
import { conditionStatus, type Validators } from '../../src/edition/conditional.ts';
import {
  CACHE_NOTHING,
  dataHeaders,
  pageHeaders,
  CORS_HEADERS,
  PREFLIGHT_SECONDS,
  type HeaderPairs,
} from '../../src/http.ts';
import { JSON_TYPE, NOT_FOUND_PATH } from '../../src/paths.ts';
import {
  errorOf,
  invalidParameters,
  type ErrorBody,
  type ErrorCode,
} from '../../src/schema/error.ts';
import type { Edition } from '../edition/edition.ts';
import type { Encoding } from '../../src/edition/manifest.ts';
import { Lru } from '../../src/base/kept.ts';

export type Answer = Response | Promise<Response>;

/** A body; pieces are sent as one. */
type Body = Buffer | string | Readable | readonly Buffer[] | null;

/**
 * A response whose headers are pairs already and go to Node unchanged; a `Response` would parse them into a
 * Headers object first.
 */
class PairsResponse extends FastResponse {
  readonly pairs: HeaderPairs;
  readonly content: Body;

  constructor(status: number, pairs: HeaderPairs, content: Body) {
    const body = Array.isArray(content) ? { [Symbol.asyncIterator]: () => each(content) } : content;
    super(body as BodyInit | null, { status, statusText: STATUS_CODES[status]!, headers: pairs });
    this.pairs = pairs;
    this.content = content;
  }

  /** h3 reads the body of a response to HEAD, which would turn it into an ordinary `Response`. */
  override get body(): Response['body'] {
    return this.content === null ? null : super.body;
  }
}

async function* each(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces;
}

/** Returns a response; a body that is a stream is read as fast as the client takes it. */
export function respond(status: number, headers: HeaderPairs, body: Body): Response {
  return new PairsResponse(status, headers, body);
}

/** Returns a response with the length of its body, also to a HEAD. */
export function respondSized(
  status: number,
  headers: Readonly<Record<string, string>> | HeaderPairs,
  body: Buffer | string | readonly Buffer[],
): Response {
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers);
  const pieces = typeof body === 'string' ? Buffer.from(body) : body;
  const length = Buffer.isBuffer(pieces) ? pieces.length : totalLength(pieces);
  return respond(status, [...pairs, ['content-length', String(length)]], pieces);
}

export function totalLength(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Sends a response that nobody has read yet, with some more headers. */
export async function send(
  res: ServerResponse,
  response: Response,
  more: HeaderPairs,
): Promise<void> {
  const content = response instanceof PairsResponse ? response.content : undefined;
  if (content === undefined || content instanceof Readable) {
    for (const [name, value] of more) response.headers.set(name, value);
    return sendNodeResponse(res, response);
  }
  res.writeHead(response.status, [...(response as PairsResponse).pairs, ...more]);
  if (!Array.isArray(content)) return void res.end(content);
  res.cork();
  for (const piece of content) res.write(piece);
  res.end();
}

/** Returns an error as JSON. No error response contains anything that the client sent. */
export function errorResponse(
  status: number,
  body: ErrorBody,
  headers: Record<string, string> = {},
): Response {
  return jsonResponse(status, body, { ...dataHeaders(JSON_TYPE, CACHE_NOTHING), ...headers });
}

export function jsonResponse(
  status: number,
  body: object,
  headers: Record<string, string>,
): Response {
  return respondSized(status, headers, `${JSON.stringify(body)}\n`);
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

const CODES: Partial<Record<number, ErrorCode>> = {
  400: 'bad_request',
  404: 'not_found',
  405: 'method_not_allowed',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  503: 'unavailable',
};

/** Returns an error as JSON for the paths that programs read, as a page for the others. */
export function errorFor(
  event: H3Event,
  edition: Edition,
  status: number,
  headers: Record<string, string> = {},
): Answer {
  const body = errorOf(CODES[status] ?? 'internal');
  const { pathname } = event.url;
  if (pathname.startsWith('/api/') || pathname.endsWith('.json')) {
    return errorResponse(status, body, headers);
  }
  const page = status === 404 && edition.files.get(NOT_FOUND_PATH)?.identity;
  if (!page) return errorPage(status, body.message, headers);
  // The page that is missing may be in the next edition.
  const kept = page.headers.filter(([name]) => name !== 'cache-control');
  const pairs: HeaderPairs = [...kept, ['cache-control', CACHE_NOTHING]];
  if (event.req.method === 'HEAD') return respond(status, pairs, null);
  return edition.files.bytes(page).then((bytes) => respond(status, pairs, bytes));
}

/** Returns the error for a since listing whose date is not a calendar day. */
export function invalidDate(): Response {
  const issue = {
    path: ['date'],
    code: 'invalid_date',
    message: 'date must be a calendar day, YYYY-MM-DD',
  };
  const message = 'The date is not a calendar day.';
  return errorResponse(400, { ...invalidParameters([issue]), message });
}

/**
 * Returns the error for a page whose code is missing.
 *
 * @param path of the same as JSON
 */
export function noPage(path: string): Response {
  return errorPage(503, `This page cannot be shown here; ${path} answers the same as JSON.`, {});
}

/** @param message as HTML @param title as HTML */
export function errorPage(
  status: number,
  message: string,
  headers: Record<string, string>,
  title = String(status),
): Response {
  const html = `<!doctype html><html lang="en"><title>${title}</title><p>${message}</p></html>\n`;
  const all = { ...pageHeaders(), 'cache-control': CACHE_NOTHING, ...headers };
  return respondSized(status, all, html);
}

const READ_METHODS = 'GET, HEAD, OPTIONS';
const POST_METHODS = 'POST, OPTIONS';

/** Allows GET and HEAD, answers a preflight, and rejects any other method. */
export function allowRead(event: H3Event, edition: Edition, answer: () => Answer): Answer {
  const { method } = event.req;
  if (method === 'GET' || method === 'HEAD') return answer();
  return method === 'OPTIONS'
    ? preflight(event)
    : errorFor(event, edition, 405, { allow: READ_METHODS });
}

/** Allows POST, answers a preflight, and rejects any other method with `reject`. */
export function allowPost(
  event: H3Event,
  answer: () => Answer,
  reject: (headers: Record<string, string>) => Answer,
): Answer {
  const { method } = event.req;
  if (method === 'POST') return answer();
  return method === 'OPTIONS' ? preflight(event, POST_METHODS) : reject({ allow: POST_METHODS });
}

/** Answers a browser before its cross-origin request (Fetch standard, section 3.3). */
function preflight({ req }: H3Event, methods = READ_METHODS): Response {
  const allowed = preflightHeaders(req.headers, methods);
  return respond(204, [...Object.entries(CORS_HEADERS), ...allowed], null);
}

/**
 * Returns the headers of a response to a preflight request, besides the allowed origin. Pages may send any
 * header: libraries add some by themselves, and none gives access to anything.
 */
export function preflightHeaders(request: Headers, methods: string): HeaderPairs {
  const asked = request.get('access-control-request-headers') ?? '';
  return [
    ['allow', methods],
    ['access-control-allow-methods', methods],
    [
      'access-control-allow-headers',
      [USUAL_HEADERS, ...(HEADER_NAMES.test(asked) ? [asked] : [])].join(', '),
    ],
    ['access-control-max-age', PREFLIGHT_SECONDS],
    ['vary', 'Access-Control-Request-Headers'],
  ];
}

const HEADER_NAMES = /^[\w!#$%&'*+.^`|~, -]{1,1000}$/;

const USUAL_HEADERS =
  'If-None-Match, If-Modified-Since, Content-Type, Accept, Authorization, Last-Event-ID, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name';

/** Preferred first. */
const SUPPORTED: readonly Encoding[] = ['br', 'gzip'];

/** Longest header that is parsed; a longer one gets uncompressed bytes. */
const MAX_LENGTH = 256;

/** Reads the values of an Accept header with their weights (RFC 9110, section 12.4.2). */
function weightsIn(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  return weights;
}

/** Tells whether an Accept header lists a media type, by its name or by a range. */
export function acceptsType(accept: string, type: string): boolean {
  const weights = weightsIn(accept);
  const [group] = type.split('/', 1);
  return (weights.get(type) ?? weights.get(`${group}/*`) ?? weights.get('*/*') ?? 0) > 0;
}

/** Clients send few different headers. */
const KEPT = new Lru<readonly Encoding[]>(100);

/** Returns the encodings that a client accepts, best first (RFC 9110, section 12.5.3). */
export function acceptedEncodings({ headers }: Pick<Request, 'headers'>): readonly Encoding[] {
  const header = headers.get('accept-encoding');
  if (header === null || header.length > MAX_LENGTH) return [];
  return KEPT.get(header, () => encodingsIn(header));
}

function encodingsIn(header: string): readonly Encoding[] {
  const weights = weightsIn(header);
  const weightOf = (encoding: string) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const plain = weights.get('identity') ?? 0;
  return SUPPORTED.filter((encoding) => weightOf(encoding) > 0 && weightOf(encoding) >= plain).sort(
    (a, b) => weightOf(b) - weightOf(a),
  );
}
