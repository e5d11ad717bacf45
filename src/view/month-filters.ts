import type { Facet } from '../search/search-view.ts';
import type { Review } from '../schema/review.ts';

/** Filters of a month, in the order they are shown. */
const VALUES = {
  rating: ({ rating }: Review) => String(rating),
  has_text: ({ text }: Review) => String(text !== null),
  has_reply: ({ owner_reply: reply }: Review) => String(reply !== null),
  source: ({ source }: Review) => source,
} as const;

/**
 * Returns searches that narrow the reviews of a month, each with its count. A filter that all reviews
 * pass is left out.
 *
 * @param month `2026-05`
 */
export function monthFilters(month: string, reviews: readonly Review[]): Facet[] {
  const [year, number] = month.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year!, number!, 0)).getUTCDate();
  const dates = { since: `${month}-01`, until: `${month}-${lastDay}` };
  return Object.entries(VALUES)
    .map(([key, valueOf]) => {
      const name = key as keyof typeof VALUES;
      const groups = Map.groupBy(reviews, valueOf);
      const values = [...groups]
        .map(([value, { length: count }]) => ({
          name,
          value,
          label: value,
          count,
          link: String(new URLSearchParams({ ...dates, [name]: value })),
        }))
        .sort((a, b) => (name === 'source' ? b.count - a.count : b.value < a.value ? -1 : 1));
      return { name, values };
    })
    .filter(({ values }) => values.length > 1);
}
