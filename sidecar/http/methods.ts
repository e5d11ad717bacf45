import type { H3Event } from 'h3';
import { CORS_HEADERS } from '../../src/http.ts';
import { errorOf } from '../../src/schema/error.ts';
import type { Edition } from '../edition/edition.ts';
import { fault } from './faults.ts';
import { errorResponse, respond } from './responses.ts';

type Answer = Response | Promise<Response>;

const READ_METHODS = 'GET, HEAD, OPTIONS';
const POST_METHODS = 'POST, OPTIONS';

/** GET and HEAD; a preflight is answered, any other method refused. */
export function reading(event: H3Event, edition: Edition, answer: () => Answer): Answer {
  const { method } = event.req;
  if (method === 'GET' || method === 'HEAD') return answer();
  return method === 'OPTIONS' ? preflight() : fault(event, edition, 405, { allow: READ_METHODS });
}

/** POST; a preflight is answered, any other method refused. */
export function posting(event: H3Event, edition: Edition, answer: () => Answer): Answer {
  if (event.url.pathname.endsWith('/')) return fault(event, edition, 404);
  const { method } = event.req;
  if (method === 'POST') return answer();
  return method === 'OPTIONS'
    ? preflight(POST_METHODS)
    : errorResponse(405, errorOf('method_not_allowed'), { allow: POST_METHODS });
}

/** The router takes a slash at the end too, but a file of that name would not be found. */
export function exactly(event: H3Event, edition: Edition, answer: () => Answer): Answer {
  return event.url.pathname.endsWith('/')
    ? fault(event, edition, 404)
    : reading(event, edition, answer);
}

/** What a browser asks before a cross-origin request (Fetch standard, section 3.3). */
function preflight(methods = READ_METHODS): Response {
  const headers = {
    ...CORS_HEADERS,
    allow: methods,
    'access-control-allow-methods': methods,
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-max-age': '86400',
  };
  return respond(204, Object.entries(headers), null);
}

const ALLOWED_HEADERS =
  'If-None-Match, If-Modified-Since, Content-Type, Accept, Authorization, Mcp-Session-Id, Mcp-Protocol-Version';
