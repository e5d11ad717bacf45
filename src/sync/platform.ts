import type { Row } from '../import/draft.ts';

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
