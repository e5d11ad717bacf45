import type { H3Event } from 'h3';
import { developersPath, TEXT_TYPE } from '../../src/paths.ts';
import { CACHE_NOTHING, CORS_HEADERS, SECURITY_HEADERS } from '../../src/http.ts';
import { errorOf, type ErrorBody, type Issue } from '../../src/schema/error.ts';
import { clientNetwork, RateLimit } from '../base/rate-limit.ts';
import { HubUnavailableError } from '../hub/availability.ts';
import type { Hub } from '../hub/hub.ts';
import { parseHubRequest } from '../hub/request-form.ts';
import { HubFullError } from '../hub/store/room.ts';
import { errorPage, errorResponse, respondSized, allowPost } from './responses.ts';
import { readBody } from '../base/bodies.ts';

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:[;,]|$)/i;
const MAX_BODY_BYTES = 8 * 1024;
const RETRY_SECONDS = 30;

interface HubEndpointOptions {
  hub: Pick<Hub, 'accept' | 'rules'>;
  /** Requests per minute and client; 0 means no limit. */
  rate: number;
  /** Milliseconds, monotonic. */
  now: () => number;
}

/** Creates the endpoint at /api/websub/hub, which handles every method. */
export function createHubEndpoint({ hub, rate, now }: HubEndpointOptions) {
  const requests = new RateLimit(rate, now);
  return async (event: H3Event): Promise<Response> => {
    const answer = () => {
      const wait = requests.take(clientNetwork(event.req.ip));
      if (wait === 0) return serveHub(event, hub);
      return hubError(event, 429, errorOf('rate_limited'), { 'retry-after': String(wait) });
    };
    return allowPost(event, answer, (headers) => explainHub(event, hub, headers));
  };
}

/** Serves `POST /api/websub/hub` (contract, section 4.9; WebSub, section 5). */
async function serveHub(event: H3Event, hub: Pick<Hub, 'accept' | 'rules'>): Promise<Response> {
  const { req } = event;
  if (!FORM_TYPE.test(req.headers.get('content-type') ?? '')) {
    const message = 'The body must be a form: application/x-www-form-urlencoded.';
    return hubError(event, 415, { error: 'unsupported_media_type', message });
  }
  const body = await readBody(req, MAX_BODY_BYTES);
  if (body === undefined) {
    const message = `The body must be at most ${MAX_BODY_BYTES} bytes.`;
    return hubError(event, 413, { error: 'too_large', message });
  }
  const parsed = parseHubRequest(body, hub.rules);
  if ('issues' in parsed) {
    const { issues } = parsed;
    return hubError(event, 400, { error: 'invalid_request', message: oneLine(issues), issues });
  }
  try {
    await hub.accept(parsed.request, clientNetwork(req.ip));
  } catch (error) {
    return unavailable(event, error);
  }
  return respondSized(202, HEADERS, '');
}

/** Refuses another method, and explains how to subscribe: to a browser with a page. */
function explainHub(
  event: H3Event,
  { rules: { topicUrls } }: Pick<Hub, 'rules'>,
  headers: Record<string, string>,
): Response {
  const fields = 'hub.mode=subscribe, hub.callback (your https URL) and hub.topic';
  const message = `To subscribe, POST a form with ${fields}: ${topicUrls.join(' or ')}`;
  if (!/\btext\/html\b/i.test(event.req.headers.get('accept') ?? '')) {
    return hubError(event, 405, { error: 'method_not_allowed', message }, headers);
  }
  const escaped = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const help = `<a href="${developersPath('WebSub')}">Guide for developers</a>`;
  return errorPage(405, `${escaped}. ${help}`, { ...HEADERS, ...headers });
}

function unavailable(event: H3Event, error: unknown): Response {
  const retry = { 'retry-after': String(RETRY_SECONDS) };
  if (error instanceof HubFullError) {
    const { isBrief, message } = error;
    return hubError(event, 503, { error: 'hub_full', message }, isBrief ? retry : {});
  }
  if (error instanceof HubUnavailableError) {
    const message = 'The hub cannot keep requests at the moment; see Retry-After.';
    return hubError(event, 503, { error: 'unavailable', message }, retry);
  }
  throw error;
}

const HEADERS = { 'cache-control': CACHE_NOTHING, ...CORS_HEADERS, ...SECURITY_HEADERS };

/** Returns an error as one line of text, as WebSub's subscribers expect, or as JSON on request. */
function hubError(
  event: H3Event,
  status: number,
  body: ErrorBody,
  headers: Record<string, string> = {},
): Response {
  const accepted = event.req.headers.get('accept') ?? '';
  if (/\bapplication\/(json|\*)/i.test(accepted)) return errorResponse(status, body, headers);
  const all = { 'content-type': TEXT_TYPE, ...HEADERS, ...headers };
  return respondSized(status, all, `${body.message}\n`);
}

function oneLine(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ');
}
