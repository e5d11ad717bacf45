import type { Review } from '../schema/review.ts';
import type { SearchFilters } from '../schema/search.ts';
import { reviewLine, type ReviewLines } from '../dataset/document.ts';
import { countSince, dayNumber } from '../dataset/since.ts';
import {
  addAll,
  addBit,
  countBits,
  createBitset,
  firstBits,
  keepCommon,
  keepRange,
  type Bitset,
} from './bitset.ts';
import { NameIndex, type NamedId } from './names.ts';
import { indexTexts, TextIndex, type TextIndexSnapshot } from './text-index.ts';

/** How filters name what a review mentions: ids with every name that stands for them. */
export interface MentionNames {
  technicians: NamedId[];
  services: NamedId[];
}

export interface Matches {
  /** All that match, before the limit. */
  matched: number;
  /** Positions in reviews.json, newest first, at most `limit` of them. */
  positions: number[];
}

/** What is read from reviews.json once; plain data, see {@link TextIndexSnapshot}. */
export interface SearchIndexSnapshot {
  /** Days as numbers (20260514), newest first. */
  days: Uint32Array;
  /** Positions by stars; the first, of no stars, is empty. */
  ratings: Bitset[];
  /** Positions by id. */
  technicians: Map<string, Bitset>;
  services: Map<string, Bitset>;
  text: TextIndexSnapshot;
}

/** Reads every review once. */
export function indexReviews(lines: ReviewLines): SearchIndexSnapshot {
  const { count } = lines;
  const days = new Uint32Array(count);
  const ratings = Array.from({ length: 6 }, () => createBitset(count));
  const technicians = new Map<string, Bitset>();
  const services = new Map<string, Bitset>();
  function* texts(): Generator<string | null> {
    for (let index = 0; index < count; index++) {
      const review = JSON.parse(reviewLine(lines, index).toString()) as Review;
      days[index] = dayNumber(review.date);
      addBit(ratings[review.rating]!, index);
      addMentions(technicians, review.mentions.technicians, index, count);
      addMentions(services, review.mentions.services, index, count);
      yield review.text;
    }
  }
  const text = indexTexts(count, texts());
  return { days, ratings, technicians, services, text };
}

function addMentions(
  mentions: Map<string, Bitset>,
  ids: readonly string[],
  position: number,
  count: number,
): void {
  for (const id of ids) {
    let set = mentions.get(id);
    if (!set) {
      set = createBitset(count);
      mentions.set(id, set);
    }
    addBit(set, position);
  }
}

/** Answers every search from bitsets; review texts are not read again. */
export class SearchIndex {
  readonly lines: ReviewLines;
  /** Days as numbers (20260514), newest first. */
  readonly days: Uint32Array;
  readonly #text: TextIndex;
  readonly #ratings: Bitset[];
  readonly #technicians: MentionIndex;
  readonly #services: MentionIndex;

  constructor(lines: ReviewLines, names: MentionNames, snapshot = indexReviews(lines)) {
    this.lines = lines;
    this.days = snapshot.days;
    this.#ratings = snapshot.ratings;
    this.#technicians = new MentionIndex(names.technicians, snapshot.technicians, lines.count);
    this.#services = new MentionIndex(names.services, snapshot.services, lines.count);
    this.#text = new TextIndex(snapshot.text);
  }

  search(filters: SearchFilters): Matches {
    const { count } = this.lines;
    const found = filters.query === undefined ? all(count) : this.#text.match(filters.query);
    if (filters.rating !== undefined) keepCommon(found, this.#ratings[filters.rating]!);
    if (filters.min_rating !== undefined) keepCommon(found, this.#atLeast(filters.min_rating));
    if (filters.mentions_technician !== undefined) {
      keepCommon(found, this.#technicians.mentioning(filters.mentions_technician));
    }
    if (filters.mentions_service !== undefined) {
      keepCommon(found, this.#services.mentioning(filters.mentions_service));
    }
    if (filters.since !== undefined || filters.until !== undefined) {
      const newest =
        filters.until === undefined ? 0 : countSince(this.days, dayNumber(filters.until) + 1);
      const oldest =
        filters.since === undefined ? count : countSince(this.days, dayNumber(filters.since));
      keepRange(found, newest, oldest);
    }
    return { matched: countBits(found), positions: firstBits(found, filters.limit) };
  }

  #atLeast(rating: number): Bitset {
    const set = createBitset(this.lines.count);
    for (let stars = Math.ceil(rating); stars <= 5; stars++) addAll(set, this.#ratings[stars]!);
    return set;
  }
}

class MentionIndex {
  readonly #names: NameIndex;
  readonly #mentions: ReadonlyMap<string, Bitset>;
  readonly #size: number;

  constructor(names: NamedId[], mentions: ReadonlyMap<string, Bitset>, size: number) {
    this.#names = new NameIndex(names);
    this.#mentions = mentions;
    this.#size = size;
  }

  mentioning(name: string): Bitset {
    const set = createBitset(this.#size);
    for (const id of this.#names.resolve(name)) {
      const mentions = this.#mentions.get(id);
      if (mentions) addAll(set, mentions);
    }
    return set;
  }
}

function all(count: number): Bitset {
  const set = createBitset(count).fill(0xffffffff);
  keepRange(set, 0, count);
  return set;
}
