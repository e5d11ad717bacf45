import type { Manifest } from '../../src/edition/manifest.ts';
import { SEARCH_PATH } from '../../src/paths.ts';
import type { ReviewsDataset } from '../../src/schema/dataset.ts';
import type { SearchFilters } from '../../src/schema/search.ts';
import { Random } from '../support/random.ts';

/**
 * Returns distinct searches as people make them: words, prefixes, phrases, punctuation and text
 * that occurs nowhere, half of them with filters. Common words of the dataset are common here too.
 */
export function queryMix(
  { reviews }: ReviewsDataset,
  names: Manifest['names'],
  count: number,
): SearchFilters[] {
  const random = new Random(1);
  const texts = reviews.flatMap(({ text }) => (text ? [text] : []));
  const allNames = (entries: Manifest['names']['services']) =>
    entries.flatMap((entry) => [entry.id, ...entry.names]);
  const technicians = allNames(names.technicians);
  const services = allNames(names.services);
  const kindsOfFilter: readonly (() => Partial<SearchFilters>)[] = [
    () => ({ rating: 1 + random.below(5) }),
    () => ({ min_rating: 1 + random.below(5) }),
    () => ({ since: random.pick(reviews).date }),
    () => ({ until: random.pick(reviews).date }),
    () => ({ mentions_technician: random.pick(technicians) }),
    () => ({ mentions_service: random.pick(services) }),
  ];
  const mix = new Map<string, SearchFilters>();
  while (mix.size < count) {
    const query = random.pick(KINDS)(random.pick(texts), random);
    if (query === undefined) continue;
    const chosen = Array.from({ length: FILTER_COUNTS[random.below(4)]! }, () =>
      random.pick(kindsOfFilter)(),
    );
    const filters = Object.assign({ query, limit: 5 + random.below(96) }, ...chosen);
    mix.set(queryPath(filters), filters);
  }
  return [...mix.values()];
}

const FILTER_COUNTS = [0, 0, 1, 2];

/** Returns the path of a search with these filters. */
export function queryPath(filters: SearchFilters): string {
  const parameters = Object.entries(filters).map(([name, value]) => [name, String(value)]);
  return `${SEARCH_PATH}?${new URLSearchParams(parameters)}`;
}

type Kind = (text: string, random: Random) => string | undefined;

const word: Kind = (text, random) => oneOf(text, /[\p{L}\p{N}'’]+/gu, random);

const KINDS: readonly Kind[] = [
  word,
  (text, random) => word(text, random)?.slice(0, 2 + random.below(4)),
  (text, random) => oneOf(text, /[\p{L}\p{N}'’]+ [\p{L}\p{N}'’]+/gu, random),
  (text, random) => oneOf(text, /\S{0,3}[^\p{L}\p{N}\s]\s?\S{0,3}/gu, random),
  (text, random) => `${word(text, random)}qx${random.below(1000)}`,
];

function oneOf(text: string, pattern: RegExp, random: Random): string | undefined {
  const found = text.match(pattern);
  return found ? random.pick(found) : undefined;
}
