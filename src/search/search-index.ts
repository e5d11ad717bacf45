import { LabelLines } from '../dataset/labels.ts';
import type { ReviewLines } from '../dataset/document.ts';
import { keptWith } from '../base/kept.ts';
import { QUOTED_GROUPS, type CountFilters } from '../schema/count.ts';
import type { ReviewFilters, SearchFilters, SearchResult } from '../schema/search.ts';
import { readColumns, type About, type ReviewColumns } from './review-columns.ts';
import {
  BROAD_FILTERS,
  FilterNames,
  type BroadFilter,
  type EditionNames,
  type Meaning,
  type Understood,
} from './filter-names.ts';
import {
  countGroups,
  countByValue,
  type Counted,
  type GroupCounts,
  type ValueCount,
} from './groups.ts';
import { ReviewFilter, ReviewOrder } from './selection.ts';
import { atOnce, type Pieces } from './pieces.ts';
import type { Ranked } from './rank.ts';
import { wordsIn } from './tokens.ts';
import { WordSearch, type Asked, type Found } from './word-search.ts';

/** Results of a search as its answer has them, and the positions of the reviews. */
export interface Matches
  extends
    Understood,
    Pick<SearchResult, 'matched' | 'next' | 'facets' | 'understood' | 'words' | 'wider'> {
  /** Positions in reviews.json, in the order asked for, at most `limit`. */
  positions: number[];
}

/** The languages of the pages that people search on. */
interface SearchedPages {
  language?: string | undefined;
  languages?: readonly string[] | undefined;
}

type CountedMatches = GroupCounts & Omit<Matches, 'matched' | 'positions' | 'facets'>;

/** So many words at most are counted alone where nothing has all of them. */
const COUNTED_WORDS = 6;

/** Part of the reviews with words that a language has at least: a few may be in another one than they seem. */
const MAIN_LANGUAGE = 0.02;

/** Answers every search and count from memory, without reading review texts again. */
export class SearchIndex {
  readonly lines: ReviewLines;
  /** Undefined if the edition has none. */
  readonly labels: LabelLines | undefined;
  readonly names: FilterNames;
  readonly words: WordSearch;
  readonly columns: ReviewColumns;
  readonly #order: ReviewOrder;
  readonly #filter: ReviewFilter;

  constructor(
    lines: ReviewLines,
    names: EditionNames,
    labels?: LabelLines,
    columns = atOnce(readColumns(lines, labels)),
    site: SearchedPages = {},
  ) {
    this.lines = lines;
    this.labels = labels;
    this.columns = columns;
    this.#order = new ReviewOrder(this);
    const { attribute, language, source } = columns.values;
    const worded = language.ids.length;
    const main = countByValue(columns, columns.positions, 'language')
      .filter(({ count }) => count >= MAIN_LANGUAGE * worded)
      .map(({ value }) => value);
    this.words = new WordSearch(columns, main, [
      ...(site.language === undefined ? [] : [site.language]),
      ...(site.languages ?? []),
    ]);
    this.#filter = new ReviewFilter(this);
    const isUsed = (word: string, least?: number) => this.words.isUsed(word, least);
    const { small: stopWords, titles } = this.words.language;
    this.names = new FilterNames(
      {
        ...names,
        attributes: attribute.values,
        languages: language.values,
        sources: source.values,
      },
      { stopWords, titles, isUsed },
    );
  }

  search(filters: SearchFilters): Matches {
    return atOnce(this.searchInPieces(filters));
  }

  *searchInPieces(filters: SearchFilters): Pieces<Matches> {
    const { found, about, understood, alternatives } = yield* this.#answer(filters);
    const { facets } = filters;
    const page = this.#order.page(found, filters);
    yield;
    return {
      ...understood,
      matched: found.length,
      ...page,
      ...(facets && { facets: yield* this.#countValues(found, facets, about) }),
      ...alternatives,
    };
  }

  /** Counts the matches by group, and tells how the filters were understood. */
  count(filters: CountFilters): CountedMatches {
    return atOnce(this.countInPieces(filters));
  }

  *countInPieces(filters: CountFilters): Pieces<CountedMatches> {
    const { found, about, understood, alternatives } = yield* this.#answer(filters);
    yield;
    const { group_by: groupBy = [], examples } = filters;
    const quoted = examples > 0 ? QUOTED_GROUPS : 0;
    const counts = yield* countGroups(this.columns, found, groupBy, about, quoted);
    return { ...understood, ...counts, ...alternatives };
  }

  *countByValueInPieces<K extends Counted>(
    filters: ReviewFilters,
    kinds: readonly K[],
  ): Pieces<{ matched: number; counts: Record<K, ValueCount[]> }> {
    const { meaning } = this.names.resolve(filters);
    const found = yield* this.#matching(filters, meaning);
    const counts = yield* this.#countValues(found, kinds, this.#filter.aboutOf(meaning));
    return { matched: found.length, counts };
  }

  *#countValues<K extends Counted>(
    found: readonly number[],
    kinds: readonly K[],
    about: About,
  ): Pieces<Record<K, ValueCount[]>> {
    const counts: Partial<Record<K, ValueCount[]>> = {};
    for (const kind of kinds) {
      yield;
      counts[kind] = countByValue(this.columns, found, kind, about);
    }
    return counts as Record<K, ValueCount[]>;
  }

  /** Finds the reviews of a question, what their sentiments are about, and what else there is to tell. */
  *#answer(filters: ReviewFilters) {
    const { meaning, understood } = this.names.resolve(filters);
    yield;
    const found = yield* this.#matching(filters, meaning);
    const alternatives: Pick<Matches, 'understood' | 'words' | 'wider'> = {
      ...(yield* this.#explain(filters, meaning)),
      ...(found.length === 0 && (yield* this.#countWords(filters, meaning))),
      ...(yield* this.#countNamed(filters, meaning)),
      ...(yield* this.#countWider(filters, meaning)),
    };
    return { found, about: this.#filter.aboutOf(meaning), understood, alternatives };
  }

  /** Tells how the words of a query were read, and how many matches each level of a phrase has. */
  *#explain(filters: ReviewFilters, meaning: Meaning): Pieces<Pick<Matches, 'understood'>> {
    const asked = askedOf(filters);
    if (asked?.match !== 'words') return {};
    const understood = yield* this.words.explain(asked);
    const { levels } = yield* this.words.findInPieces(asked);
    for (const [level, positions] of Object.entries(levels)) {
      const matching = this.#filter.pass(positions, filters, meaning);
      understood[level as keyof Found['levels']] = matching.length;
      yield;
    }
    return { understood };
  }

  /** Counts the matches of each word where nothing has all of them. */
  *#countWords(filters: ReviewFilters, meaning: Meaning): Pieces<Pick<Matches, 'words'>> {
    const asked = askedOf(filters);
    if (!asked || wordsIn(asked.query).length < 2) return {};
    const byWords: Asked = { ...asked, match: 'words' };
    const { all } = yield* this.words.read(byWords);
    const words = [...new Set(all.flat().flatMap(({ concepts }) => concepts))];
    if (words.length < 2) return {};
    const { query: _, ...others } = filters;
    const counts: Record<string, number> = {};
    for (const concept of words.slice(0, COUNTED_WORDS)) {
      const having = yield* this.words.having(concept, byWords);
      counts[concept.written] = this.#filter.pass(having, others, meaning).length;
      yield;
    }
    return { words: counts };
  }

  /** Counts the reviews with the words by which an aspect or topic was named, with the other filters. */
  *#countNamed(
    filters: ReviewFilters,
    { ids, narrow, excluded }: Meaning,
  ): Pieces<Pick<Matches, 'words'>> {
    const counts: Record<string, number> = {};
    for (const parameter of BROAD_FILTERS) {
      const name = filters[parameter];
      if (name === undefined || ids[parameter] === undefined || name.includes(',')) continue;
      const { [parameter]: _, ...rest } = ids;
      const having = yield* this.words.findInPieces({ query: name, match: 'term' });
      const all = new Set(yield* this.#matching(filters, { ids: rest, narrow, excluded }));
      const found = having.positions.filter((position) => all.has(position));
      if (found.length > 0) counts[name] = found.length;
    }
    return Object.keys(counts).length > 0 ? { words: counts } : {};
  }

  /** Returns the reviews that fit the words of a query best, of those that match all other filters. */
  *rankInPieces(filters: ReviewFilters & Asked, limit: number): Pieces<Ranked> {
    const { query: _, ...others } = filters;
    const rest = yield* this.#matching(others, this.names.resolve(others).meaning);
    const asked: Asked = { ...askedOf(filters)!, match: 'words' };
    return yield* this.words.rank(asked, limit, rest.length < this.lines.count ? rest : undefined);
  }

  /**
   * Counts the matches of each id that is wider than a word, with the other filters; and of each aspect or
   * topic that a query names, in the place of its words.
   */
  *#countWider(filters: ReviewFilters, meaning: Meaning): Pieces<Pick<Matches, 'wider'>> {
    const { ids, narrow } = meaning;
    const { query = '', match, in: _, ...others } = filters;
    const isNamed = (parameter: BroadFilter) =>
      match === 'words' && filters[parameter] === undefined;
    const named = BROAD_FILTERS.filter(isNamed).map((parameter) => ({
      parameter,
      filters: others,
      narrow,
      wider: this.names.kinds[parameter].meantBy(query),
    }));
    const parts = Object.entries(narrow).map(([name, { wider }]) => {
      const parameter = name as BroadFilter;
      const { [parameter]: _, ...rest } = narrow;
      return { parameter, filters, narrow: rest, wider };
    });
    const counts: [label: string, count: number][] = [];
    for (const { parameter, filters, narrow, wider } of [...named, ...parts]) {
      for (const id of wider) {
        const wide = { ...meaning, narrow, ids: { ...ids, [parameter]: [id] } };
        const { length } = yield* this.#matching(filters, wide);
        if (length > 0) counts.push([this.names.kinds[parameter].labelOf(id) ?? id, length]);
      }
    }
    const isTold = counts.length > 0 || Object.keys(narrow).length > 0;
    return isTold ? { wider: Object.fromEntries(counts) } : {};
  }

  /** Returns the positions of the reviews that match, newest first. */
  *#matching(filters: ReviewFilters, meaning: Meaning): Pieces<readonly number[]> {
    const asked = askedOf(filters);
    const narrow = (positions: readonly number[]) => this.#filter.pass(positions, filters, meaning);
    return asked ? yield* this.words.findAmong(asked, narrow) : narrow(this.columns.positions);
  }
}

function askedOf({ query, match, in: places }: ReviewFilters): Asked | undefined {
  return query === undefined ? undefined : { query, match, in: places };
}

/** Returns the index of an edition, and keeps it with the edition. @param labels review-labels.json */
export const searchIndexOf = keptWith(
  ({
    lines,
    names,
    labels,
    site,
  }: {
    lines: ReviewLines;
    names: EditionNames;
    labels: Uint8Array;
    site?: SearchedPages;
  }) => new SearchIndex(lines, names, new LabelLines(labels), undefined, site),
);
