import { z } from 'zod';
import { JsonApi } from '../json-api.ts';
import type { Listing } from './sync.ts';

// https://developers.trustpilot.com/business-units-api-(public)
const UNITS = 'https://api.trustpilot.com/v1/business-units';

const answer = z.object({
  reviews: z.array(z.looseObject({ id: z.string() })),
  nextPageToken: z.string().nullish(),
});

export function trustpilotListing(businessUnitId: string, apiKey: string): Listing {
  const api = new JsonApi({ platform: 'Trustpilot', secrets: [apiKey], advice });
  const reviews = `${UNITS}/${encodeURIComponent(businessUnitId)}/all-reviews`;
  // This list has a cursor: numbered pages shift while they are read, and would lose reviews.
  const read: Listing['read'] = (pageToken) =>
    api.json(`${reviews}?${new URLSearchParams(pageToken && { pageToken })}`, answer, {
      headers: { apikey: apiKey },
    });
  return { platform: 'Trustpilot', file: `trustpilot-${businessUnitId}.json`, read };
}

function advice(status: number): string | undefined {
  if (status === 401 || status === 403) return 'check TRUSTPILOT_API_KEY';
  if (status === 404) return 'check TRUSTPILOT_BUSINESS_UNIT_ID';
  return undefined;
}
