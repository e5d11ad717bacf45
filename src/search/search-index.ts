import { reviewLine, type ReviewLines } from '../dataset/document.ts';
import { countSince, dayNumber } from '../dataset/since.ts';
import type { Review } from '../schema/review.ts';
import type { SearchFilters } from '../schema/search.ts';
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
import { buildTextIndex, TextIndex, type TextIndexData } from './text-index.ts';
import { fold } from './tokens.ts';

export interface NamedId {
  id: string;
  /** Every name of the id, besides the id itself. */
  names: string[];
}

/** Finds ids by name, ignoring case. A name that two people share finds both. */
export class NameIndex {
  readonly #ids = new Map<string, string[]>();

  constructor(entries: readonly NamedId[]) {
    for (const { id, names } of entries) {
      for (const name of new Set([id, ...names].map(fold))) {
        this.#ids.set(name, [...(this.#ids.get(name) ?? []), id]);
      }
    }
  }

  /** Returns the ids of a name; none for an unknown name. */
  resolve(name: string): readonly string[] {
    return this.#ids.get(fold(name)) ?? [];
  }
}

/** The names that the mention filters accept. */
export interface MentionNames {
  technicians: NamedId[];
  services: NamedId[];
}

export interface Matches {
  /** The number of all that match, before the limit. */
  matched: number;
  /** Positions in reviews.json, newest first, at most `limit`. */
  positions: number[];
}

/** Everything that is read from reviews.json once; plain data, so that it can be stored. */
export interface SearchIndexSnapshot {
  /** Days as numbers (20260514), newest first. */
  days: Uint32Array;
  /** Positions by stars; the first, of no stars, is empty. */
  ratings: Bitset[];
  /** Positions by id. */
  technicians: Map<string, Bitset>;
  services: Map<string, Bitset>;
  text: TextIndexData;
}

/** Reads every review once. */
export function indexReviews(lines: ReviewLines): SearchIndexSnapshot {
  const { count } = lines;
  const days = new Uint32Array(count);
  const ratings = Array.from({ length: 6 }, () => createBitset(count));
  const technicians = new Map<string, Bitset>();
  const services = new Map<string, Bitset>();
  const addMentions = (sets: Map<string, Bitset>, ids: readonly string[], position: number) => {
    for (const id of ids) {
      const set = sets.get(id) ?? createBitset(count);
      addBit(set, position);
      sets.set(id, set);
    }
  };
  function* texts(): Generator<string | null> {
    for (let position = 0; position < count; position++) {
      const review = JSON.parse(reviewLine(lines, position).toString()) as Review;
      days[position] = dayNumber(review.date);
      addBit(ratings[review.rating]!, position);
      addMentions(technicians, review.mentions.technicians, position);
      addMentions(services, review.mentions.services, position);
      yield review.text;
    }
  }
  const text = buildTextIndex(count, texts());
  return { days, ratings, technicians, services, text };
}

/** Answers every search from bitsets, without reading review texts again. */
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
    this.#technicians = { names: new NameIndex(names.technicians), byId: snapshot.technicians };
    this.#services = { names: new NameIndex(names.services), byId: snapshot.services };
    this.#text = new TextIndex(snapshot.text);
  }

  search(filters: SearchFilters): Matches {
    const { count } = this.lines;
    const { query, rating, min_rating, mentions_technician, mentions_service } = filters;
    const found = query === undefined ? all(count) : this.#text.match(query);
    if (rating !== undefined) keepCommon(found, this.#ratings[rating]!);
    if (min_rating !== undefined) keepCommon(found, this.#atLeast(min_rating));
    if (mentions_technician !== undefined) {
      keepCommon(found, this.#mentioning(mentions_technician, this.#technicians));
    }
    if (mentions_service !== undefined) {
      keepCommon(found, this.#mentioning(mentions_service, this.#services));
    }
    const { since, until } = filters;
    if (since !== undefined || until !== undefined) {
      const newest = until === undefined ? 0 : countSince(this.days, dayNumber(until) + 1);
      const oldest = since === undefined ? count : countSince(this.days, dayNumber(since));
      keepRange(found, newest, oldest);
    }
    return { matched: countBits(found), positions: firstBits(found, filters.limit) };
  }

  #atLeast(rating: number): Bitset {
    const set = createBitset(this.lines.count);
    for (let stars = Math.ceil(rating); stars <= 5; stars++) addAll(set, this.#ratings[stars]!);
    return set;
  }

  #mentioning(name: string, { names, byId }: MentionIndex): Bitset {
    const set = createBitset(this.lines.count);
    for (const id of names.resolve(name)) {
      const mentioning = byId.get(id);
      if (mentioning) addAll(set, mentioning);
    }
    return set;
  }
}

interface MentionIndex {
  names: NameIndex;
  byId: ReadonlyMap<string, Bitset>;
}

function all(count: number): Bitset {
  const set = createBitset(count).fill(0xffffffff);
  keepRange(set, 0, count);
  return set;
}
