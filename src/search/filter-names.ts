import { PAGE_LANGUAGES } from '../schema/business.ts';
import type { GroupName } from '../schema/groups.ts';
import type { ReviewFilters, SearchResult, Unresolved } from '../schema/search.ts';
import { NameIndex, type NamedId, type KnownWords } from './names.ts';
import { wordsIn } from './tokens.ts';

/** The names that an edition publishes for its ids, by kind. */
export type EditionNames = Partial<
  Record<
    'technicians' | 'services' | 'aspects' | 'problems' | 'service_areas' | 'topics',
    NamedId[]
  >
>;

/** The filters that take a name, with the grouping they stand for. */
export const NAME_FILTERS = {
  aspect: 'aspect',
  mentions_technician: 'technician',
  mentions_service: 'service',
  mentions_problem: 'problem',
  mentions_area: 'area',
  topic: 'topic',
  attribute: 'attribute',
  source: 'source',
  language: 'language',
} as const satisfies Partial<Record<keyof ReviewFilters, GroupName>>;
export type NameFilter = keyof typeof NAME_FILTERS;
export type NamedKind = (typeof NAME_FILTERS)[NameFilter];

/** Kinds whose names are words of reviews. */
const WORDED: ReadonlySet<string> = new Set<NamedKind>([
  'technician',
  'service',
  'problem',
  'area',
  'topic',
]);

/** Filters whose ids are wider than the words that belong to them: Cleanliness has bed bugs. */
export const BROAD_FILTERS = ['aspect', 'topic'] as const;
export type BroadFilter = (typeof BROAD_FILTERS)[number];

/** A word for a part of some ids, or for none, which is counted by its own mentions. */
export interface NarrowWord {
  word: string;
  /** The ids that the word is a part of; without any, every aspect may be about it. */
  wider: readonly string[];
}

/** Names that a filter may have. */
const MAX_NAMES = 10;

/** One of the names in the value of a filter, with the ids that it stands for. */
interface NamedValue {
  name: string;
  found: readonly string[];
  /** True if reviews with it are left out: it has a `-` before it. */
  isExcluded: boolean;
}

/** The meaning of the names in filters. */
export interface Meaning {
  /** Ids by filter, for each filter that names any; a review has one of them. None for unknown names. */
  ids: Partial<Record<NameFilter, readonly string[]>>;
  /** By filter, the ids that a match must not have. */
  excluded: Partial<Record<NameFilter, readonly string[]>>;
  /** Filters that are a word for a part of an id. */
  narrow: Partial<Record<BroadFilter, NarrowWord>>;
}

/** The names in filters, as an answer explains them. */
export type Understood = Pick<SearchResult, 'resolved' | 'unresolved'>;

/** A name is compared with all that are known, and nobody mistypes more in one request. */
const NAMES_WITH_SUGGESTIONS = 3;

/** Resolves the names in filters to the ids of an edition. */
export class FilterNames {
  readonly kinds: Readonly<Record<NamedKind, NameIndex>>;
  readonly #languages: readonly string[];
  readonly #vocabulary: KnownWords;

  /** @param names with the attributes, languages and platforms of the reviews */
  constructor(
    names: EditionNames & Record<'attributes' | 'languages' | 'sources', readonly string[]>,
    vocabulary: KnownWords & { titles: ReadonlySet<string> },
  ) {
    const index = (named: Iterable<NamedId>, isBroad = false) =>
      new NameIndex(named, vocabulary, isBroad);
    this.#vocabulary = vocabulary;
    this.#languages = names.languages.toSorted();
    this.kinds = {
      aspect: index(names.aspects ?? [], true),
      technician: new NameIndex(names.technicians ?? [], {
        ...vocabulary,
        stopWords: vocabulary.stopWords.union(vocabulary.titles),
      }),
      service: index(names.services ?? []),
      problem: index(names.problems ?? []),
      area: index(names.service_areas ?? []),
      topic: index(names.topics ?? [], true),
      attribute: new NameIndex(names.attributes.toSorted().map(namedAttribute)),
      source: new NameIndex(names.sources.toSorted().map(namedSource)),
      language: new NameIndex(languageNames(this.#languages)),
    };
  }

  /** Returns the names of an id that are words of reviews; none of other groups, such as years. */
  namesOf(kind: string, id: string): readonly string[] {
    return WORDED.has(kind) ? this.kinds[kind as NamedKind].namesOf(id) : [];
  }

  resolve(filters: ReviewFilters): { meaning: Meaning; understood: Understood } {
    const meaning: Meaning = { ids: {}, excluded: {}, narrow: {} };
    const resolved: Record<string, string[]> = {};
    const unresolved: Unresolved[] = [];
    for (const parameter of Object.keys(NAME_FILTERS) as NameFilter[]) {
      const value = filters[parameter];
      if (value === undefined) continue;
      const index = this.kinds[NAME_FILTERS[parameter]];
      const named = this.namesIn(parameter, value);
      const narrow = this.#narrowWordOf(parameter, named);
      if (narrow) {
        meaning.narrow[parameter as BroadFilter] = narrow;
        continue;
      }
      const having = named.filter(({ isExcluded }) => !isExcluded);
      const without = named.filter(({ isExcluded }) => isExcluded);
      if (having.length > 0) meaning.ids[parameter] = this.#idsOf(parameter, having);
      if (without.length > 0) meaning.excluded[parameter] = this.#idsOf(parameter, without);
      if (named.some(({ name, found }) => found.length > 1 || (found[0] ?? name) !== name)) {
        resolved[parameter] = named.flatMap(({ found, isExcluded }) =>
          found.map((id) => (isExcluded ? `-${id}` : id)),
        );
      }
      for (const { name } of named.filter(({ found }) => found.length === 0)) {
        const suggestions = unresolved.length < NAMES_WITH_SUGGESTIONS ? index.suggest(name) : [];
        unresolved.push({ parameter, value: name, suggestions });
      }
    }
    return {
      meaning,
      understood: {
        ...(Object.keys(resolved).length > 0 && { resolved }),
        ...(unresolved.length > 0 && { unresolved }),
      },
    };
  }

  /** Returns the word that a filter has in the place of a name. */
  #narrowWordOf(parameter: NameFilter, named: readonly NamedValue[]): NarrowWord | undefined {
    const [first, ...others] = named as [NamedValue, ...NamedValue[]];
    const { name: word, found, isExcluded } = first;
    if (others.length > 0 || found.length > 0 || isExcluded) return undefined;
    const wider = this.kinds[NAME_FILTERS[parameter]].widerThan(word);
    const isNarrow = wider.length > 0 || (parameter === 'aspect' && this.#isMentioned(word));
    return isNarrow ? { word, wider } : undefined;
  }

  /** Returns the names in the value of a filter: one, or several with commas and signs. */
  namesIn(parameter: NameFilter, value: string): NamedValue[] {
    const index = this.kinds[NAME_FILTERS[parameter]];
    const texts = value.split(',');
    // What follows the last name that is read is one unknown name: each costs a comparison with all that are known.
    if (texts.length > MAX_NAMES) texts.push(texts.splice(MAX_NAMES - 1).join(','));
    const parts = texts.flatMap((part): NamedValue[] => {
      const [, sign, name = ''] = /^\s*(-?)\s*(.*?)\s*$/s.exec(part)!;
      return name === '' ? [] : [{ name, found: index.resolve(name), isExcluded: sign === '-' }];
    });
    const isList = parts.length > 0 && parts.every(({ found }) => found.length > 0);
    const whole = isList ? [] : index.resolve(value);
    const isWhole = whole.length > 0 || parts.length === 0;
    return isWhole ? [{ name: value, found: whole, isExcluded: false }] : parts;
  }

  #idsOf(parameter: NameFilter, named: readonly NamedValue[]): string[] {
    const ids = [...new Set(named.flatMap(({ found }) => found))];
    return parameter === 'language' ? this.#tagsOf(ids) : ids;
  }

  /** Tells whether people write of something that no vocabulary knows. */
  #isMentioned(name: string): boolean {
    const { stopWords, isUsed } = this.#vocabulary;
    return wordsIn(name).some((word) => !stopWords.has(word)) && isUsed(name, 1);
  }

  /** Returns the tags of reviews that a language covers: `es` covers `es-MX` (RFC 4647, 3.3.1). */
  #tagsOf(languages: readonly string[]): string[] {
    return this.#languages.filter((tag) =>
      languages.some((language) => tag === language || tag.startsWith(`${language}-`)),
    );
  }
}

/** Names an attribute by its value: `Nationality: Germany`, Germany. */
function namedAttribute(id: string): NamedId {
  return { id, names: [id, id.slice(id.indexOf(': ') + 2)] };
}

/** Names that people use for platforms besides the domain. */
const ALSO_CALLED: Readonly<Record<string, readonly string[]>> = {
  booking: ['Booking'],
  google: ['Google Maps', 'Google Business', 'Google My Business'],
  tripadvisor: ['Trip Advisor'],
};

/** Names a platform as people do: Booking.com, Google reviews. */
function namedSource(id: string): NamedId {
  return { id, names: [id, `${id}.com`, `${id} reviews`, ...(ALSO_CALLED[id] ?? [])] };
}

/**
 * Names tags and the languages they belong to, in the languages of pages, English first, and in the language
 * itself; loading the names takes a while.
 */
function* languageNames(tags: readonly string[]): Generator<NamedId> {
  const namesIn = (language: string) => new Intl.DisplayNames(language, { type: 'language' });
  const pages = PAGE_LANGUAGES.map(namesIn);
  const all = new Set(tags.flatMap((tag) => [tag.split('-')[0]!, tag]));
  for (const id of all) {
    yield { id, names: [...pages, namesIn(id)].map((names) => names.of(id) ?? id) };
  }
}
