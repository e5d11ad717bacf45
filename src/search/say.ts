import { datasetMetadata, readReview } from '../dataset/document.ts';
import type { CountFilters, ReviewGroup } from '../schema/count.ts';
import { NAME_FILTERS, type NameFilter } from './filter-names.ts';
import sentences from './say.json' with { type: 'json' };
import type { SearchIndex } from './search-index.ts';

type Sentence = keyof (typeof sentences)['en'];

/**
 * Returns what an assistant can say aloud of the reviews that match some filters, in the language of the site.
 *
 * @param newest position of the newest one
 */
export function sayCount(
  search: SearchIndex,
  filters: Pick<CountFilters, 'query' | NameFilter>,
  group: ReviewGroup | undefined,
  newest: number | undefined,
  language = 'en',
): string {
  const all = search.lines.count;
  if (!group || newest === undefined) return say('none', language, { all });
  const { n, positive_pct: positive, negative_pct: negative } = group;
  const what = subjectOf(search, filters);
  const isOne = new Intl.PluralRules(language).select(n) === 'one';
  const day = dayOf(search, newest);
  const how = what === undefined ? 'match' : 'mention';
  return [
    say(`${how}_${isOne ? 'one' : 'other'}`, language, { n, all, what: what ?? '' }),
    say('lean', language, { positive, negative, day }),
  ].join(' ');
}

/** Returns what an assistant can say aloud of all reviews. */
export function saySummary(search: SearchIndex, language = 'en'): string {
  const all = search.lines.count;
  if (all === 0) return say('none', language, { all });
  const stars = datasetMetadata(search.lines).aggregate_rating.rating_value ?? 0;
  return say('summary', language, { all, stars, day: dayOf(search, 0) });
}

function say(
  id: Sentence,
  language: string,
  values: Record<string, number | string | Date>,
): string {
  const texts = (sentences as Record<string, (typeof sentences)['en']>)[language.split('-')[0]!];
  const format = (value: number | string | Date): string => {
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return new Intl.NumberFormat(language).format(value);
    return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(value);
  };
  return (texts ?? sentences.en)[id].replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    format(values[name]!),
  );
}

function dayOf(search: SearchIndex, position: number): Date {
  return new Date(readReview(search.lines, position).date);
}

/** Returns the words that a review has to have, or the label of what it is about. */
function subjectOf(
  { names }: SearchIndex,
  { query, ...filters }: Pick<CountFilters, 'query' | NameFilter>,
): string | undefined {
  if (query !== undefined) return `“${query}”`;
  for (const [name, kind] of Object.entries(NAME_FILTERS)) {
    const value = filters[name as NameFilter];
    if (value === undefined || kind === 'source' || kind === 'language') continue;
    const [id] = names.kinds[kind].resolve(value);
    return id === undefined ? `“${value}”` : names.kinds[kind].labelOf(id);
  }
  return undefined;
}
