import { z } from 'zod';
import { JsonApi } from '../json-api.ts';
import { followTokens, type Listing, type Page } from './listing.ts';

// https://developers.trustpilot.com/business-units-api-(public)
const UNITS = 'https://api.trustpilot.com/v1/business-units';
const MOST_PER_PAGE = 100;

const answer = z.object({
  reviews: z.array(z.looseObject({ id: z.string() })),
  nextPageToken: z.string().nullish(),
});

export function trustpilotListing(businessUnitId: string, apiKey: string): Listing {
  const unit = `${UNITS}/${encodeURIComponent(businessUnitId)}`;
  const api = new JsonApi({ platform: 'Trustpilot', secrets: [apiKey], advice });
  const read = (path: string, query: Record<string, string>) =>
    api.json(`${unit}/${path}?${new URLSearchParams(query)}`, answer, {
      headers: { apikey: apiKey },
    });
  return {
    platform: 'Trustpilot',
    source: 'trustpilot',
    file: `trustpilot-${businessUnitId}.json`,
    pages: ({ full }) => (full ? allReviews(read) : newestReviews(read)),
  };
}

type Read = (path: string, query: Record<string, string>) => Promise<z.infer<typeof answer>>;

/** Yields pages by date, newest first. A page past the last one is empty. */
async function* newestReviews(read: Read): AsyncGenerator<Page> {
  for (let page = 1; ; page++) {
    const { reviews } = await read('reviews', {
      orderBy: 'createdat.desc',
      perPage: String(MOST_PER_PAGE),
      page: String(page),
    });
    yield { reviews };
    if (reviews.length < MOST_PER_PAGE) return;
  }
}

/** Follows a cursor: numbered pages shift while they are read, and would lose reviews. */
async function* allReviews(read: Read): AsyncGenerator<Page> {
  const pages = followTokens('Trustpilot', (pageToken) =>
    read('all-reviews', pageToken === undefined ? {} : { pageToken }),
  );
  for await (const { reviews } of pages) yield { reviews };
}

function advice(status: number): string | undefined {
  if (status === 401 || status === 403) return 'check TRUSTPILOT_API_KEY';
  if (status === 404) return 'check TRUSTPILOT_BUSINESS_UNIT_ID';
  return undefined;
}
