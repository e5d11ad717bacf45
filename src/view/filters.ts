import type { Parameter } from '../search/search-view.ts';
import type { TradeWords } from '../schema/trade.ts';
import { capitalized, counted, dayName, sourceName } from './wording.ts';

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
