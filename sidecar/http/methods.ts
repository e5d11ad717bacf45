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
    ? preflight()
    : errorFor(event, edition, 405, { allow: READ_METHODS });
}

/** Allows POST, answers a preflight, and rejects any other method with `reject`. */
export function allowPost(
  event: H3Event,
  edition: Edition,
  answer: () => Answer,
  reject: (headers: Record<string, string>) => Answer,
): Answer {
  if (event.url.pathname.endsWith('/')) return errorFor(event, edition, 404);
  const { method } = event.req;
  if (method === 'POST') return answer();
  return method === 'OPTIONS' ? preflight(POST_METHODS) : reject({ allow: POST_METHODS });
}

/** Rejects a trailing slash, which the router accepts but a file path does not have. */
export function exactPath(event: H3Event, edition: Edition, answer: () => Answer): Answer {
  return event.url.pathname.endsWith('/')
    ? errorFor(event, edition, 404)
    : allowRead(event, edition, answer);
}

/** Answers a browser before its cross-origin request (Fetch standard, section 3.3). */
function preflight(methods = READ_METHODS): Response {
  return respond(204, [...Object.entries(CORS_HEADERS), ...preflightHeaders(methods)], null);
}

/** Returns the headers of a response to a preflight request, besides the allowed origin. */
export function preflightHeaders(methods: string): HeaderPairs {
  return [
    ['allow', methods],
    ['access-control-allow-methods', methods],
    ['access-control-allow-headers', ALLOWED_HEADERS],
    ['access-control-max-age', PREFLIGHT_SECONDS],
  ];
}

const ALLOWED_HEADERS =
  'If-None-Match, If-Modified-Since, Content-Type, Accept, Authorization, Last-Event-ID, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name';
