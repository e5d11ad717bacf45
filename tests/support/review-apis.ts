import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { redirectedFetch } from './redirect-fetch.ts';
import { serve } from './serve.ts';

const LOCATION = 'accounts/1000/locations/77';
export const SECOND_LOCATION = 'accounts/1000/locations/78';
const UNIT = '46d6a890000064000500e0c3';
export const SECRETS = {
  clientId: 'client-7',
  clientSecret: 'S3CRET-of-the-client',
  refreshToken: '1//S3CRET-refresh-token',
  apiKey: 'S3CRET-api-key',
};
/** Environment of `npm run sync`. */
export const SYNC_ENV = {
  GOOGLE_LOCATIONS: LOCATION,
  GOOGLE_CLIENT_ID: SECRETS.clientId,
  GOOGLE_CLIENT_SECRET: SECRETS.clientSecret,
  GOOGLE_REFRESH_TOKEN: SECRETS.refreshToken,
  TRUSTPILOT_BUSINESS_UNIT_ID: UNIT,
  TRUSTPILOT_API_KEY: SECRETS.apiKey,
};

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

export interface ApiReview {
  id: string;
  stars: number;
  text?: string;
  /** RFC 3339. */
  created: string;
  updated?: string;
  reply?: { text: string; at: string };
}

/** A local server that speaks Google's OAuth and Business Profile APIs and Trustpilot's. */
export class ReviewApis {
  google: ApiReview[] = [];
  /** Those of {@link SECOND_LOCATION}. */
  second: ApiReview[] = [];
  trustpilot: ApiReview[] = [];
  /** Requests so far, as method and address. */
  readonly requests: string[] = [];
  /** Times of the requests, in milliseconds. */
  readonly times: number[] = [];
  /** Called before a request for reviews is answered. */
  before: (pages: number) => void = () => {};
  /** Answers for the next requests of reviews, instead of the right ones. */
  readonly interruptions: Answer[] = [];
  readonly origin: string;
  readonly #tokens = new Set<string>();

  constructor(origin: string) {
    this.origin = origin;
  }

  /** Ends all sessions: access tokens must be renewed. */
  expireTokens(): void {
    this.#tokens.clear();
  }

  async answer(request: IncomingMessage): Promise<Answer> {
    const url = new URL(request.url!, this.origin);
    const body = await text(request);
    this.requests.push(`${request.method} ${request.url}`);
    this.times.push(performance.now());
    if (url.pathname === '/token') return this.#token(new URLSearchParams(body));
    this.before(this.requests.filter((line) => line.startsWith('GET')).length);
    const interruption = this.interruptions.shift();
    if (interruption) return interruption;
    const isFirst = url.pathname === `/v4/${LOCATION}/reviews`;
    if (isFirst || url.pathname === `/v4/${SECOND_LOCATION}/reviews`) {
      const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
      return this.#tokens.has(token)
        ? this.#googlePage(isFirst ? this.google : this.second, url.searchParams)
        : googleError(401, `Request had invalid authentication credentials: ${token}`);
    }
    if (url.pathname === `/v1/business-units/${UNIT}/all-reviews`) {
      const { apikey } = request.headers;
      return apikey === SECRETS.apiKey
        ? this.#trustpilotPage(url)
        : json(401, { message: `Unknown apikey ${String(apikey)}` });
    }
    return googleError(404, 'Requested entity was not found.');
  }

  #token(form: URLSearchParams): Answer {
    const refused = (status: number, error: string, error_description: string) =>
      json(status, { error, error_description });
    if (form.get('grant_type') !== 'refresh_token') {
      return refused(400, 'unsupported_grant_type', 'Invalid grant_type');
    }
    if (form.get('client_secret') !== SECRETS.clientSecret) {
      return refused(401, 'invalid_client', 'Unauthorized');
    }
    if (form.get('refresh_token') !== SECRETS.refreshToken) {
      return refused(400, 'invalid_grant', 'Token has been expired or revoked.');
    }
    const token = `ya29.S3CRET-access-token-${this.requests.length}`;
    this.#tokens.add(token);
    return json(200, { access_token: token, expires_in: 3599, token_type: 'Bearer' });
  }

  #googlePage(reviews: readonly ApiReview[], query: URLSearchParams): Answer {
    const size = Number(query.get('pageSize') ?? 50);
    if (size > 50 || query.get('orderBy') !== 'updateTime desc') {
      return googleError(400, 'Request contains an invalid argument.');
    }
    const newestFirst = reviews.toSorted((a, b) =>
      (b.updated ?? b.created).localeCompare(a.updated ?? a.created),
    );
    const start = Number(query.get('pageToken') ?? 0);
    const page = newestFirst.slice(start, start + size);
    const mean = newestFirst.reduce((sum, { stars }) => sum + stars, 0) / newestFirst.length;
    return json(200, {
      ...(page.length > 0 && { reviews: page.map(googleReview) }),
      ...(newestFirst.length > 0 && { averageRating: mean, totalReviewCount: newestFirst.length }),
      ...(start + size < newestFirst.length && { nextPageToken: String(start + size) }),
    });
  }

  #trustpilotPage(url: URL): Answer {
    const start = Number(url.searchParams.get('pageToken') ?? 0);
    const next = start + 50;
    return json(200, {
      reviews: this.trustpilot.slice(start, next).map(trustpilotReview),
      nextPageToken: next < this.trustpilot.length ? String(next) : null,
    });
  }
}

/** Starts the server on a free port until the test ends; `fetch` sends requests for the documented hosts to it. */
export async function startReviewApis(context: TestContext): Promise<ReviewApis> {
  const apis: ReviewApis = new ReviewApis(
    await serve(context, async (request, response) => {
      const { status, headers, body } = await apis.answer(request);
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body);
    }),
  );
  const { fetch } = globalThis;
  globalThis.fetch = redirectedFetch(apis.origin);
  context.after(() => void (globalThis.fetch = fetch));
  return apis;
}

function googleReview({ id, stars, text, created, updated, reply }: ApiReview) {
  return {
    name: `${LOCATION}/reviews/${id}`,
    reviewId: id,
    reviewer: { displayName: `Customer ${id}`, profilePhotoUrl: 'https://photos.example/a' },
    starRating: ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE'][stars - 1],
    ...(text !== undefined && { comment: text }),
    createTime: created,
    updateTime: updated ?? created,
    ...(reply && { reviewReply: { comment: reply.text, updateTime: reply.at } }),
  };
}

function trustpilotReview({ id, stars, text, created, updated = '', reply }: ApiReview) {
  return {
    id,
    consumer: { id: `c-${id}`, displayName: `Customer ${id}` },
    status: 'active',
    stars,
    title: `Title of ${id}`,
    text,
    language: 'en',
    createdAt: created,
    updatedAt: updated || null,
    companyReply: reply ? { text: reply.text, createdAt: reply.at, updatedAt: null } : null,
    isVerified: true,
  };
}

function googleError(code: number, message: string): Answer {
  return json(code, { error: { code, message, status: 'ERROR' } });
}

function json(status: number, body: unknown): Answer {
  return { status, body: JSON.stringify(body) };
}
