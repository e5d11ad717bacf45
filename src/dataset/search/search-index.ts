import type { Review } from '../../schema/review.ts';
import type { SearchFilters } from '../../schema/search.ts';
import { reviewLine, type ReviewLines } from '../document.ts';
import { countSince, dayNumber } from '../since.ts';
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
import { TextIndex } from './text-index.ts';

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

/** Answers every search from bitsets; review texts are not read again. */
export class SearchIndex {
  readonly lines: ReviewLines;
  /** Days as numbers (20260514), newest first. */
  readonly days: Uint32Array;
  readonly #text: TextIndex;
  readonly #ratings: Bitset[];
  readonly #technicians: MentionIndex;
  readonly #services: MentionIndex;

  constructor(lines: ReviewLines, names: MentionNames) {
    const { count } = lines;
    this.lines = lines;
    this.days = new Uint32Array(count);
    this.#ratings = Array.from({ length: 6 }, () => createBitset(count));
    this.#technicians = new MentionIndex(names.technicians, count);
    this.#services = new MentionIndex(names.services, count);
    this.#text = new TextIndex(count, this.#readTexts());
  }

  *#readTexts(): Generator<string | null> {
    for (let index = 0; index < this.lines.count; index++) {
      const review = JSON.parse(reviewLine(this.lines, index).toString()) as Review;
      this.days[index] = dayNumber(review.date);
      addBit(this.#ratings[review.rating]!, index);
      this.#technicians.add(index, review.mentions.technicians);
      this.#services.add(index, review.mentions.services);
      yield review.text;
    }
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
  readonly #size: number;
  readonly #mentions = new Map<string, Bitset>();

  constructor(names: NamedId[], size: number) {
    this.#names = new NameIndex(names);
    this.#size = size;
  }

  add(position: number, ids: readonly string[]): void {
    for (const id of ids) {
      let set = this.#mentions.get(id);
      if (set === undefined) {
        set = createBitset(this.#size);
        this.#mentions.set(id, set);
      }
      addBit(set, position);
    }
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
