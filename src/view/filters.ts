import { lastDayOf } from '../base/days.ts';
import { facetsOf, type Facet, type FacetValue, type Parameter } from '../search/filter-links.ts';
import type { SearchIndex } from '../search/search-index.ts';
import { atOnce } from '../search/pieces.ts';
import { SEARCH_PAGE_PATH } from '../paths.ts';
import type { TradeWords } from '../schema/trade.ts';
import { packLabel } from '../messages/pack-label.ts';
import { sourceName } from './wording.ts';
import type { Wording } from '../messages/wording.ts';
import type { Sentiment } from '../schema/insights.ts';

/** Returns the heading above the values of a filter. */
export function filterHeading(
  name: Facet['name'],
  { staff, service }: Partial<TradeWords>,
  { t, capitalized }: Wording,
): string {
  if (name === 'mentions_service') return capitalized(service?.singular ?? t('trade.service'));
  if (name === 'mentions_technician') return capitalized(staff?.singular ?? t('trade.staff'));
  return t(`filter.${name}`);
}

interface FilterValue {
  name: Parameter;
  value: string;
  label: string;
}

/** Returns a filter in words: `max_rating` 2 → `2 stars or fewer`. */
export function filterText(
  { name, value, label }: FilterValue,
  { t, capitalized, dayName, language, languageNames }: Wording,
): string {
  switch (name) {
    case 'query':
      return t('filter.query', { words: value });
    case 'rating':
      return t('count.stars', { count: Number(value) });
    case 'min_rating':
      return t('filter.min_rating', { count: Number(value) });
    case 'max_rating':
      return t('filter.max_rating', { count: Number(value) });
    case 'since':
      return t('filter.since', { day: dayName(value) });
    case 'until':
      return t('filter.until', { day: dayName(value) });
    case 'has_text':
      return value === 'true' ? t('filter.with_words') : t('filter.stars_only');
    case 'has_reply':
      return value === 'true' ? t('filter.answered') : t('filter.not_answered');
    case 'language':
      return /^[a-z]{2,3}(?:-\w+)*$/.test(value) ? languageNames([value]) : label;
    case 'source':
      return label.split(', ').map(sourceName).join(', ');
    case 'sentiment':
      return capitalized(t(`side.${label as Sentiment}`));
    default:
      return packLabel(label, language);
  }
}

/** Returns links to the searches with these filters, with the numbers of their reviews. */
export function filterLinks(values: readonly FacetValue[], words: Wording) {
  return values.map((value) => ({
    href: value.link === '' ? SEARCH_PAGE_PATH : `${SEARCH_PAGE_PATH}?${value.link}`,
    rel: 'nofollow',
    'aria-current': value.isChosen && ('true' as const),
    label: filterText(value, words),
    count: value.count,
  }));
}

/** The filters that are used most. */
export const USUAL_FILTERS: ReadonlySet<Facet['name']> = new Set([
  'rating',
  'has_text',
  'has_reply',
  'source',
  'language',
]);

/**
 * Returns searches that narrow the reviews of a month, each with its count.
 *
 * @param month `2026-05`
 */
export function monthFilters(month: string, index: SearchIndex): Facet[] {
  const dates = { since: `${month}-01`, until: lastDayOf(month) };
  return atOnce(facetsOf(new URLSearchParams(dates), dates, index, [...USUAL_FILTERS]));
}
