import type { H3Event } from 'h3';
import { CORS_HEADERS, PREFLIGHT_SECONDS, type HeaderPairs } from '../../src/http.ts';
import type { Edition } from '../edition/edition.ts';
import { errorFor, respond, type Answer } from './responses.ts';

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
