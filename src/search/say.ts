import { dayOfNumber } from '../base/days.ts';
import { datasetMetadata } from '../dataset/document.ts';
import type { CountFilters, CountResult, ReviewGroup } from '../schema/count.ts';
import type { QueryReading } from '../schema/search.ts';
import { NAME_FILTERS, type NamedKind, type NameFilter } from './filter-names.ts';
import sentences from './say.json' with { type: 'json' };
import type { SearchIndex } from './search-index.ts';

type Sentence = keyof (typeof sentences)['en'];

interface MatchesToSay extends Pick<CountResult, 'understood'> {
  /** The reviews that match; undefined if none does. */
  group: ReviewGroup | undefined;
  /** Position of the newest review that matches. */
  newest: number | undefined;
}

/** Returns what an assistant can say aloud of the reviews that match some filters, in the language of the site. */
export function sayCount(
  search: SearchIndex,
  filters: CountFilters,
  { group, newest, understood }: MatchesToSay,
  language = 'en',
): string {
  const all = search.lines.count;
  if (!group || newest === undefined) return say('none', language, { all });
  const { n, positive_pct: positive, negative_pct: negative } = group;
  const isApart = (understood?.phrase ?? n) !== n;
  const what = isApart ? undefined : subjectOf(search, filters, understood, language);
  const isOne = new Intl.PluralRules(language).select(n) === 'one';
  const how = what === undefined ? 'match' : 'mention';
  return [
    say(`${how}_${isOne ? 'one' : 'other'}`, language, { n, all, what: what ?? '' }),
    say('lean', language, { positive, negative, day: dayOf(search, newest) }),
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

function dayOf({ columns }: SearchIndex, position: number): Date {
  return new Date(dayOfNumber(columns.days[position]!));
}

/** Parameters that filter nothing by themselves. */
const MANNERS = new Set(['match', 'in', 'examples', 'group_by']);

/** Kinds that no review mentions. */
const FACTS: ReadonlySet<string> = new Set<NamedKind>(['attribute', 'source', 'language']);

/**
 * Returns what every match mentions: the words of a query, or the label of a name. Undefined if other filters
 * count as well, or if words of the query were not looked for.
 */
function subjectOf(
  { names }: SearchIndex,
  filters: CountFilters,
  { corrected = {}, ignored = [] }: Partial<QueryReading> = {},
  language: string,
): string | undefined {
  const given = Object.entries(filters).filter(
    ([name, value]) => value !== undefined && !MANNERS.has(name),
  );
  const [name, value] = given[0] ?? [];
  if (given.length !== 1 || typeof value !== 'string') return undefined;
  const quoted = (what: string) => say('quoted', language, { what });
  if (name === 'query') {
    if (ignored.length > 0) return undefined;
    const words = Object.entries(corrected);
    return quoted(words.reduce((query, [written, right]) => query.replace(written, right), value));
  }
  const kind = NAME_FILTERS[name as NameFilter];
  if (kind === undefined || FACTS.has(kind)) return undefined;
  const [id, ...others] = names.kinds[kind].resolve(value);
  if (id === undefined) return quoted(value);
  return others.length === 0 ? names.kinds[kind].labelOf(id) : undefined;
}
