import type { LabelLines } from '../dataset/labels.ts';
import { datasetMetadata, readReview, type ReviewLines } from '../dataset/document.ts';
import { countSince, dayNumber, daysUntil } from '../dataset/since.ts';
import type { CountFilters } from '../schema/count.ts';
import { PLACES, type QueryPlace } from '../schema/groups.ts';
import type { ReviewFilters, SearchFilters, SearchResult } from '../schema/search.ts';
import {
  addAll,
  countBits,
  countCommon,
  dropAll,
  fullBitset,
  keepCommon,
  keepRange,
  union,
  type Bitset,
} from './bitset.ts';
import {
  FilterNames,
  NAME_FILTERS,
  type BroadFilter,
  type EditionNames,
  type NameFilter,
  type Resolution,
} from './filter-names.ts';
import { Groups, type GroupCounts } from './groups.ts';
import { WordOpinions } from './word-opinions.ts';
import { ReviewOrder } from './order.ts';
import { rank, type Ranking } from './rank.ts';
import {
  aboutOf,
  feeling,
  Periods,
  SetBuilder,
  type About,
  type ReviewSets,
  type SetKind,
} from './review-sets.ts';
import { stopWordsOf } from './stop-words.ts';
import { TextIndexBuilder, type TextIndex } from './text-index.ts';
import { countedWords, WordMatcher } from './word-matcher.ts';
import type { Word } from './words.ts';

export interface Matches extends Pick<Resolution, 'resolved' | 'unresolved'> {
  /** The number of all that match, before the limit. */
  matched: number;
  /** Positions in reviews.json, in the order asked for, at most `limit`. */
  positions: number[];
  /** Cursor of the next page; absent on the last one. */
  next?: string;
  facets?: NonNullable<SearchResult['facets']>;
  words?: NonNullable<SearchResult['words']>;
  wider?: NonNullable<SearchResult['wider']>;
}

/** Everything that is read from the reviews once. */
export interface IndexedReviews {
  /** Days as numbers (20260514), newest first. */
  days: Uint32Array;
  /** Characters of the texts. */
  lengths: Uint32Array;
  /** Days until the reply; -1 without one, or without its day. */
  replyDays: Int32Array;
  sets: ReviewSets;
  texts: Readonly<Record<QueryPlace, TextIndex>>;
}

type QueryFilters = Pick<ReviewFilters, 'query' | 'match' | 'in'>;
type Meaning = Pick<Resolution, 'ids' | 'excluded' | 'narrow'>;

/** Reviews that are read between two pauses; it takes a few milliseconds. */
const STEP = 100;

/** Reads every review once, and pauses every few milliseconds, so that its caller can do other work. */
export function* indexReviews(
  lines: ReviewLines,
  labels?: LabelLines,
): Generator<void, IndexedReviews> {
  const { count } = lines;
  const days = new Uint32Array(count);
  const lengths = new Uint32Array(count);
  const replyDays = new Int32Array(count).fill(-1);
  const builder = new SetBuilder(count, labels);
  const [text, title, author] = PLACES.map(() => new TextIndexBuilder());
  for (let position = 0; position < count; position++) {
    if (position % STEP === STEP - 1) yield;
    const review = readReview(lines, position);
    days[position] = dayNumber(review.date);
    lengths[position] = review.text?.length ?? 0;
    const replied = review.owner_reply?.date;
    if (replied) replyDays[position] = daysUntil(review.date, replied);
    builder.add(position, review);
    text!.add(review.text);
    title!.add(review.title);
    author!.add(review.author);
  }
  const texts = { text: text!.finish(), title: title!.finish(), author: author!.finish() };
  return { days, lengths, replyDays, sets: builder.sets, texts };
}

/** Answers every search and count from bitsets, without reading review texts again. */
export class SearchIndex {
  readonly lines: ReviewLines;
  /** Undefined if the edition has none. */
  readonly labels: LabelLines | undefined;
  /** Days as numbers (20260514), newest first. */
  readonly days: Uint32Array;
  readonly names: FilterNames;
  readonly #sets: ReviewSets;
  readonly #order: ReviewOrder;
  readonly #groups: Groups;
  readonly #texts: IndexedReviews['texts'];
  readonly #words: WordMatcher;
  readonly #wordOpinions: WordOpinions;

  constructor(
    lines: ReviewLines,
    names: EditionNames,
    labels?: LabelLines,
    indexed = atOnce(indexReviews(lines, labels)),
  ) {
    const { days, replyDays, sets, texts } = indexed;
    this.lines = lines;
    this.labels = labels;
    this.days = days;
    this.#sets = sets;
    this.#order = new ReviewOrder(lines, indexed, sets.rating);
    const southern = (datasetMetadata(lines).business.geo?.latitude ?? 0) < 0;
    const periods = new Periods(days, fullBitset(lines.count), southern);
    this.#groups = new Groups(sets, periods, replyDays);
    this.#texts = texts;
    const stopWords = stopWordsOf(sets.language.keys());
    this.#words = new WordMatcher(texts, lines.count, stopWords);
    this.#wordOpinions = new WordOpinions(lines, labels, this.#words);
    const isUsed = (word: string, least?: number) => this.#words.isUsed(word, least);
    this.names = new FilterNames(names, sets, { stopWords, isUsed });
  }

  search(filters: SearchFilters): Matches {
    const { ids, excluded, narrow, ...understood } = this.names.resolve(filters);
    const meaning = { ids, excluded, narrow };
    const found = this.#matching(filters, meaning);
    const { facets } = filters;
    return {
      ...understood,
      matched: countBits(found),
      ...this.#order.page(found, filters),
      ...(facets && { facets: this.#groups.facets(found, facets, this.#aboutOf(meaning)) }),
      ...this.#countWords(found, filters, meaning),
      ...this.#countWider(filters, meaning),
    };
  }

  /** Counts the matches by group, and tells how the filters were understood. */
  count(filters: CountFilters): GroupCounts & Omit<Matches, 'matched' | 'positions' | 'facets'> {
    const { ids, excluded, narrow, ...understood } = this.names.resolve(filters);
    const meaning = { ids, excluded, narrow };
    const found = this.#matching(filters, meaning);
    const counts = this.#groups.count(found, filters.group_by ?? [], this.#aboutOf(meaning));
    return {
      ...understood,
      ...counts,
      ...this.#countWords(found, filters, meaning),
      ...this.#countWider(filters, meaning),
    };
  }

  /** Returns what a query with `match=words` looks for. */
  wordsOf(query: string): Word[] {
    return this.#words.parse(query);
  }

  /** Counts the matches of each word where nothing has all of them. */
  #countWords(found: Bitset, filters: ReviewFilters, meaning: Meaning): Pick<Matches, 'words'> {
    const { query, match, in: places, ...others } = filters;
    if (query === undefined || match !== 'words' || countBits(found) > 0) return {};
    const words = countedWords(this.#words.parse(query));
    if (words.length === 0) return {};
    const rest = this.#matching(others, meaning);
    const counts = words.map((word) => {
      return [word.written, countCommon(this.#words.find([word], places), rest)] as const;
    });
    return { words: Object.fromEntries(counts) };
  }

  /** Counts the matches of each id that is wider than a word, with the other filters. */
  #countWider(filters: ReviewFilters, meaning: Meaning): Pick<Matches, 'wider'> {
    const { ids, narrow } = meaning;
    const counts = Object.entries(narrow).flatMap(([parameter, { wider }]) => {
      const { [parameter as BroadFilter]: _, ...rest } = narrow;
      const names = this.names.kinds[NAME_FILTERS[parameter as BroadFilter]];
      return wider.map((id) => {
        const wide = { ...meaning, ids: { ...ids, [parameter]: [id] }, narrow: rest };
        const found = this.#matching(filters, wide);
        return [names.labelOf(id) ?? id, countBits(found)] as const;
      });
    });
    return Object.keys(narrow).length > 0 ? { wider: Object.fromEntries(counts) } : {};
  }

  /** Returns what sentiments are about: people before aspects, and words before the ids they belong to. */
  #aboutOf({ ids: { mentions_technician: people, aspect }, narrow }: Meaning): About {
    if (people || !narrow.aspect) return aboutOf(people, aspect);
    const { said } = this.#wordOpinions.find(narrow.aspect);
    return { kind: 'mention', said };
  }

  /**
   * Returns the reviews that have the most of some words in text or title, newest first among equals.
   * The work is bounded; see {@link rank}.
   */
  rank(words: readonly Word[], limit: number): Ranking {
    return rank([this.#texts.text, this.#texts.title], words, this.lines.count, limit);
  }

  #matching(filters: ReviewFilters, meaning: Meaning): Bitset {
    const { count } = this.lines;
    const { query, rating, since, until } = filters;
    const found = query === undefined ? fullBitset(count) : this.#containing(query, filters);
    if (rating !== undefined) this.#keep(found, 'rating', [String(rating)]);
    if (filters.min_rating !== undefined || filters.max_rating !== undefined) {
      this.#keep(found, 'rating', starsBetween(filters.min_rating ?? 1, filters.max_rating ?? 5));
    }
    for (const narrow of Object.values(meaning.narrow)) {
      keepCommon(found, this.#wordOpinions.find(narrow).found);
    }
    for (const [parameter, named] of Object.entries(meaning.ids)) {
      this.#keep(found, NAME_FILTERS[parameter as NameFilter], named);
    }
    for (const [parameter, named] of Object.entries(meaning.excluded)) {
      for (const set of this.#having(NAME_FILTERS[parameter as NameFilter], named)) {
        dropAll(found, set);
      }
    }
    if (filters.sentiment !== undefined) {
      const about = this.#aboutOf(meaning);
      keepCommon(found, union(feeling(this.#sets, filters.sentiment, about), count));
    }
    if (filters.has_reply !== undefined) this.#keep(found, 'replied', [String(filters.has_reply)]);
    if (filters.has_text !== undefined) this.#keep(found, 'worded', [String(filters.has_text)]);
    if (since !== undefined || until !== undefined) {
      const newest = until === undefined ? 0 : countSince(this.days, dayNumber(until) + 1);
      const oldest = since === undefined ? count : countSince(this.days, dayNumber(since));
      keepRange(found, newest, oldest);
    }
    return found;
  }

  #containing(query: string, { match, in: places }: QueryFilters): Bitset {
    if (match === 'words') return this.#words.match(query, places);
    const [first, ...rest] = placesOf(places).map((place) => this.#texts[place].match(query));
    for (const other of rest) addAll(first!, other);
    return first!;
  }

  /** Keeps the reviews that have any of some values. */
  #keep(found: Bitset, kind: SetKind, values: readonly string[]): void {
    const sets = this.#having(kind, values);
    keepCommon(found, sets.length === 1 ? sets[0]! : union(sets, this.lines.count));
  }

  #having(kind: SetKind, values: readonly string[]): Bitset[] {
    return values.flatMap((value) => this.#sets[kind].get(value) ?? []);
  }
}

/** Reads every review without a pause. */
function atOnce(reading: Generator<void, IndexedReviews>): IndexedReviews {
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
  }
}

function placesOf(places: ReviewFilters['in'] = ['text']) {
  return places;
}

function starsBetween(least: number, most: number): string[] {
  return ['1', '2', '3', '4', '5'].filter(
    (stars) => Number(stars) >= least && Number(stars) <= most,
  );
}
