import { z } from 'zod';
import { JsonApi, type ApiError } from '../json-api.ts';
import type { Listing } from './sync.ts';

// Business Profile API, accounts.locations.reviews.list:
// https://developers.google.com/my-business/reference/rest/v4/accounts.locations.reviews/list
const REVIEWS = 'https://mybusiness.googleapis.com/v4';
// https://developers.google.com/identity/protocols/oauth2/web-server#offline
const TOKENS = 'https://oauth2.googleapis.com/token';
const MAX_PER_PAGE = 50;

const tokenAnswer = z.object({ access_token: z.string().min(1) });
/** Google omits empty fields, even the list. */
const reviewsAnswer = z.object({
  reviews: z.array(z.looseObject({ reviewId: z.string() })).default([]),
  totalReviewCount: z.int().optional(),
  nextPageToken: z.string().optional(),
});

type Setting = 'GOOGLE_CLIENT_ID' | 'GOOGLE_CLIENT_SECRET' | 'GOOGLE_REFRESH_TOKEN';
type GoogleAccess = Readonly<Record<Setting, string>>;

/**
 * Returns the reviews of a location by the time of their last edit, newest first: one that is edited
 * meanwhile comes twice.
 *
 * @param location `accounts/{account}/locations/{location}`
 */
export function googleListing(location: string, access: GoogleAccess): Listing {
  const secrets = [access.GOOGLE_CLIENT_SECRET, access.GOOGLE_REFRESH_TOKEN];
  const api = new JsonApi({ platform: 'Google', secrets, advice });
  const signIn = async (): Promise<string> => {
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: access.GOOGLE_CLIENT_ID,
      client_secret: access.GOOGLE_CLIENT_SECRET,
      refresh_token: access.GOOGLE_REFRESH_TOKEN,
    });
    const { access_token: token } = await api.json(TOKENS, tokenAnswer, { method: 'post', body });
    api.keepSecret(token);
    return token;
  };
  let accessToken: string | undefined;
  const read = async (pageToken: string | undefined) => {
    accessToken ??= await signIn();
    const query = new URLSearchParams({
      pageSize: String(MAX_PER_PAGE),
      orderBy: 'updateTime desc',
      ...(pageToken !== undefined && { pageToken }),
    });
    return api.json(`${REVIEWS}/${location}/reviews?${query}`, reviewsAnswer, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
  };
  // An access token lives for an hour, which a long listing may exceed.
  const readSignedIn = (pageToken: string | undefined) =>
    read(pageToken).catch((error: ApiError) => {
      if (error.status !== 401 || accessToken === undefined) throw error;
      accessToken = undefined;
      return read(pageToken);
    });
  const file = `google-${location.split('/').at(-1)}.json`;
  return { platform: 'Google', file, read: readSignedIn };
}

function advice(status: number, detail: string): string | undefined {
  if (detail === 'invalid_grant') {
    return 'GOOGLE_REFRESH_TOKEN has expired or was revoked: authorize again';
  }
  if (detail === 'invalid_client') return 'check GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET';
  if (status === 401) return 'authorize again, and set GOOGLE_REFRESH_TOKEN';
  if (status === 403) {
    return 'the project needs access to the Business Profile APIs, and the account must manage the location';
  }
  if (status === 404) return 'check GOOGLE_LOCATIONS';
  return undefined;
}
