import type { Row } from '../import/draft.ts';
import { ApiError } from '../json-api.ts';

/** Reviews as the API of a platform returned them. */
export interface Page {
  reviews: readonly Row[];
  /** The number of reviews on the platform, if the API tells. */
  total?: number | undefined;
}

/** One location or business unit whose reviews an API returns. */
export interface Listing {
  /** The platform's name, as messages show it. */
  platform: string;
  /** The platform as a `source` of reviews. */
  source: string;
  /** Names the listing in `imports.jsonl`. */
  file: string;
  /** Yields the reviews, newest first; in full in an order that loses none while it reads. */
  pages(options: { full: boolean }): AsyncGenerator<Page>;
}

interface TokenPage {
  nextPageToken?: string | null | undefined;
}

/** Yields page after page, as long as the last one names another. */
export async function* followTokens<P extends TokenPage>(
  platform: string,
  read: (pageToken: string | undefined) => Promise<P>,
): AsyncGenerator<P> {
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
