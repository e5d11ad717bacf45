import type { Row } from '../import/rows.ts';
import { ApiError } from '../json-api.ts';

export interface Page {
  reviews: readonly Row[];
  /** The number of reviews on the platform, if the API tells. */
  totalReviewCount?: number | undefined;
  /** Names the next page; the last one has none. */
  nextPageToken?: string | null | undefined;
}

/** One location or business unit whose reviews an API returns. */
export interface Listing {
  /** The platform's name, as messages show it. */
  platform: string;
  /** Names the listing in `imports.jsonl`. */
  file: string;
  /** Yields all reviews, in an order that loses none while it reads. */
  pages(): AsyncGenerator<Page>;
}

/** Yields page after page, as long as the last one names another. */
export async function* followTokens(
  platform: string,
  read: (pageToken: string | undefined) => Promise<Page>,
): AsyncGenerator<Page> {
  const tokens = new Set<string>();
  for (let token: string | undefined; ; tokens.add(token)) {
    const page = await read(token);
    yield page;
    if (!page.nextPageToken) return;
    token = page.nextPageToken;
    if (tokens.has(token)) {
      throw new ApiError(`${platform} returned the same page again: sync again later`);
    }
  }
}
