import type { Parameter, Facet } from '../search/search-view.ts';
import type { TradeWords } from '../schema/trade.ts';
import { capitalized, counted, dayName, sourceName } from './wording.ts';
import type { Review } from '../schema/review.ts';

/** Words of editions that name none. */
const STAFF = { singular: 'technician', plural: 'technicians' };
const SERVICE = { singular: 'service', plural: 'services' };

/** Returns the heading above the values of a filter. */
export function filterHeading(
  name: Parameter,
  { staff = STAFF, service = SERVICE }: Partial<TradeWords>,
): string {
  const headings: Partial<Record<Parameter, string>> = {
    rating: 'Stars',
    has_text: 'Text',
    has_reply: 'Reply',
    mentions_service: capitalized(service.singular),
    mentions_technician: capitalized(staff.singular),
    source: 'Written on',
    mentions_problem: 'Problem',
    mentions_area: 'Area',
  };
  return headings[name] ?? capitalized(name);
}

interface FilterValue {
  name: Parameter;
  value: string;
  label: string;
}

/** Returns a filter in words: `max_rating` 2 → `2 stars or fewer`. */
export function filterText({ name, value, label }: FilterValue): string {
  switch (name) {
    case 'query':
      return `“${value}”`;
    case 'rating':
      return stars(value);
    case 'min_rating':
      return `${stars(value)} or more`;
    case 'max_rating':
      return `${stars(value)} or fewer`;
    case 'since':
      return `From ${dayName(value)}`;
    case 'until':
      return `Until ${dayName(value)}`;
    case 'has_text':
      return value === 'true' ? 'With words' : 'Stars only';
    case 'has_reply':
      return value === 'true' ? 'Answered' : 'Not answered';
    case 'source':
      return sourceName(label);
    case 'sentiment':
      return capitalized(label);
    default:
      return label;
  }
}

function stars(value: string): string {
  return counted(Number(value), 'star');
}

/** Filters of a month, in the order they are shown. */
const MONTH_VALUES = {
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
  return Object.entries(MONTH_VALUES)
    .map(([key, valueOf]) => {
      const name = key as keyof typeof MONTH_VALUES;
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
