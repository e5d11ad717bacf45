import type { ReviewFilters, Unresolved } from '../schema/search.ts';
import { NameIndex, type NamedId, type KnownWords } from './names.ts';
import type { ReviewSets, SetKind } from './review-sets.ts';
import { singular } from './stem.ts';
import { foldedWords, termWord, type Word } from './words.ts';

/** The names that an edition publishes for its ids, by kind. */
export type EditionNames = Partial<
  Record<
    'technicians' | 'services' | 'aspects' | 'problems' | 'service_areas' | 'topics',
    NamedId[]
  >
>;

/** The filters that take a name, with the kind of set they stand for. */
export const NAME_FILTERS = {
  aspect: 'aspect',
  mentions_technician: 'technician',
  mentions_service: 'service',
  mentions_problem: 'problem',
  mentions_area: 'area',
  topic: 'topic',
  source: 'source',
  language: 'language',
} as const satisfies Partial<Record<keyof ReviewFilters, SetKind>>;
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
export type BroadFilter = 'aspect' | 'topic';

/** A word for a part of some ids, or for none, which is counted by its own mentions. */
export interface NarrowWord {
  word: Word;
  /** Any aspect may be about it if there are none. */
  wider: readonly string[];
}

/** The meaning of the names in filters. */
export interface Resolution {
  /** Ids by filter, for each filter that names any; none for an unknown name. */
  ids: Partial<Record<NameFilter, readonly string[]>>;
  /** Filters that are a word for a part of an id. */
  narrow: Partial<Record<BroadFilter, NarrowWord>>;
  /** The same for names that are not an id themselves. */
  resolved?: Record<string, string[]>;
  unresolved?: Unresolved[];
}

/** Resolves the names in filters to the ids of an edition. */
export class FilterNames {
  /** The names of each kind. */
  readonly kinds: Readonly<Record<NamedKind, NameIndex>>;
  readonly #languages: readonly string[];
  readonly #vocabulary: KnownWords | undefined;

  constructor(names: EditionNames, sets: ReviewSets, vocabulary?: KnownWords) {
    const index = (named: Iterable<NamedId>, isBroad = false) =>
      new NameIndex(named, vocabulary, isBroad);
    this.#vocabulary = vocabulary;
    this.#languages = [...sets.language.keys()].sort();
    this.kinds = {
      aspect: index(names.aspects ?? [], true),
      technician: index(names.technicians ?? []),
      service: index(names.services ?? []),
      problem: index(names.problems ?? []),
      area: index(names.service_areas ?? []),
      topic: index(names.topics ?? [], true),
      source: new NameIndex([...sets.source.keys()].sort().map(namedSource)),
      language: new NameIndex(languageNames(this.#languages)),
    };
  }

  /** Returns the names of an id that are words of reviews; none of other groups, such as years. */
  namesOf(kind: string, id: string): readonly string[] {
    return WORDED.has(kind) ? this.kinds[kind as NamedKind].namesOf(id) : [];
  }

  resolve(filters: ReviewFilters): Resolution {
    const ids: Resolution['ids'] = {};
    const narrow: Resolution['narrow'] = {};
    const resolved: Record<string, string[]> = {};
    const unresolved: Unresolved[] = [];
    for (const parameter of Object.keys(NAME_FILTERS) as NameFilter[]) {
      const value = filters[parameter];
      if (value === undefined) continue;
      const kind = NAME_FILTERS[parameter];
      const found = this.kinds[kind].resolve(value);
      const wider = found.length > 0 ? [] : this.kinds[kind].widerThan(value);
      const isOwn = found.length === 0 && parameter === 'aspect' && this.#isMentioned(value);
      if (wider.length > 0 || isOwn) {
        narrow[parameter as BroadFilter] = { word: termWord(value), wider };
        continue;
      }
      ids[parameter] = kind === 'language' ? this.#tagsOf(found) : found;
      if (found.length === 0) {
        unresolved.push({ parameter, value, suggestions: this.kinds[kind].suggest(value) });
      } else if (found.length > 1 || found[0] !== value) resolved[parameter] = [...found];
    }
    return {
      ids,
      narrow,
      ...(Object.keys(resolved).length > 0 && { resolved }),
      ...(unresolved.length > 0 && { unresolved }),
    };
  }

  /** Tells whether people write of something that no vocabulary knows. */
  #isMentioned(name: string): boolean {
    const words = foldedWords(name);
    const { stopWords, isUsed } = this.#vocabulary ?? {};
    return (
      words.some((word) => !stopWords?.has(word)) && isUsed?.(singular(words.join(' '))) === true
    );
  }

  /** Returns the tags of reviews that a language covers: `es` covers `es-MX` (RFC 4647, 3.3.1). */
  #tagsOf(languages: readonly string[]): string[] {
    return this.#languages.filter((tag) =>
      languages.some((language) => tag === language || tag.startsWith(`${language}-`)),
    );
  }
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
 * Names tags and the languages they belong to, in English and in the language itself; loading the names
 * takes a while.
 */
function* languageNames(tags: readonly string[]): Generator<NamedId> {
  const english = new Intl.DisplayNames('en', { type: 'language' });
  const all = new Set(tags.flatMap((tag) => [tag.split('-')[0]!, tag]));
  for (const id of all) {
    const own = new Intl.DisplayNames(id, { type: 'language' });
    yield { id, names: [english.of(id) ?? id, own.of(id) ?? id] };
  }
}
