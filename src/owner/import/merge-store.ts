import type { Tombstone } from '../../schema/provenance.ts';
import type { ReviewRecord } from '../../schema/review.ts';
import type { PlacedReview } from '../../content/read-reviews.ts';
import { isDisplayOf } from './author.ts';
import { isNamed, salted, type Candidate } from './candidate.ts';
import { newerOf } from './merge.ts';

/** A review of content/, a candidate, or both. */
export interface MatchedPair {
  /** Path of its file in content/. */
  file: string;
  known?: PlacedReview;
  candidate?: Candidate | undefined;
  /** True if it was withdrawn, and its line is still there: a command was stopped between the two. */
  isBuried: boolean;
}

/** Matches imported reviews with those of content/. */
export class MergeStore {
  /** Withdrawn reviews by their id, and by the one of their platform. */
  readonly #withdrawn = new Set<string>();
  /** The tables that candidates came from. */
  readonly #tables = new Set<string>();
  readonly #existing = new Map<string, PlacedReview>();
  readonly #incoming = new Map<string, Candidate>();
  /** Ids by the platform's id, and by day, stars and words. */
  readonly #existingBySourceId = new Map<string, string>();
  readonly #existingByWords: ReadonlyMap<string, readonly ReviewRecord[]>;
  readonly #incomingByWords = new Map<string, Set<string>>();

  constructor(reviews: readonly PlacedReview[], withdrawn: readonly Tombstone[]) {
    for (const tombstone of withdrawn) {
      this.#withdrawn.add(tombstone.id);
      if (tombstone.source_id !== undefined) this.#withdrawn.add(sourceKey(tombstone));
    }
    for (const placed of reviews) {
      const { value } = placed;
      this.#existing.set(value.id, placed);
      if (value.source_id !== undefined && !this.#existingBySourceId.has(sourceKey(value))) {
        this.#existingBySourceId.set(sourceKey(value), value.id);
      }
    }
    const records = reviews.map(({ value }) => value);
    this.#existingByWords = Map.groupBy(records, wordsKey);
  }

  /** Takes a candidate, unless it was withdrawn; of two versions of one review the newer stays. */
  offer(candidate: Candidate): 'taken' | 'duplicate' | 'withdrawn' {
    const { record } = candidate;
    if (this.#withdrawn.has(record.id) || this.#withdrawn.has(sourceKey(record))) {
      return 'withdrawn';
    }
    this.#tables.add(tableOf(candidate));
    const words = wordsKey(record);
    const id = this.#knownId(candidate, words);
    const named = { ...candidate, record: { ...record, id } };
    const before = this.#incoming.get(id);
    if (!before || newerOf(before, named) === named) {
      this.#incoming.set(id, named);
      const alike = this.#incomingByWords.get(words) ?? new Set();
      this.#incomingByWords.set(words, alike.add(id));
    }
    return before ? 'duplicate' : 'taken';
  }

  /**
   * Returns the reviews of each file that there is or will be, in the order of its lines.
   *
   * @param isFull true if the exports have every review of their platforms
   * @param salt makes the salt of a new review
   */
  files(isFull: boolean, salt: () => string): Map<string, MatchedPair[]> {
    if (isFull) this.#matchEdits();
    const pairs: MatchedPair[] = [...this.#existing].map(([id, known]) => ({
      file: known.file,
      known,
      candidate: this.#incoming.get(id),
      isBuried: this.#withdrawn.has(id),
    }));
    for (const [id, candidate] of this.#incoming) {
      if (this.#existing.has(id)) continue;
      const record = salted(candidate.record, salt());
      const file = `reviews/${record.date.slice(0, 4)}.jsonl`;
      pairs.push({ file, candidate: { ...candidate, record }, isBuried: false });
    }
    pairs.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    return Map.groupBy(pairs, ({ file }) => file);
  }

  /**
   * Takes a new row of an export without ids for the edited version of a review that the export lacks,
   * if each is the only one of its author on that day and platform.
   */
  #matchEdits(): void {
    const place = ({ source, date }: ReviewRecord) => `${source} ${date}`;
    const added = [...this.#incoming].filter(
      ([id, { record, author }]) =>
        !this.#existing.has(id) && author !== undefined && !isNamed(record),
    );
    const newByPlace = Map.groupBy(added, ([, { record }]) => place(record));
    const gone = [...this.#existing]
      .filter(([id]) => !this.#incoming.has(id) && !this.#withdrawn.has(id))
      .map(([, { value }]) => value)
      .filter((record) => !isNamed(record) && newByPlace.has(place(record)));
    const goneByPlace = Map.groupBy(gone, place);
    for (const known of gone) {
      const [found, ...others] = newByPlace
        .get(place(known))!
        .filter(([, { author }]) => isDisplayOf(known.author, author));
      if (!found || others.length > 0) continue;
      const [id, candidate] = found;
      const rivals = goneByPlace.get(place(known))!.filter(({ author }) => author === known.author);
      if (rivals.length > 1 || !this.#incoming.delete(id)) continue;
      const record = { ...candidate.record, id: known.id };
      this.#incoming.set(known.id, { ...candidate, record });
    }
  }

  /**
   * Finds the review in content/: by the name its platform or its row gave it, or by the id derived from that.
   * Another tool may name it otherwise, or it was typed: then by day, stars, words and author, in
   * content/ and in the other files of this import.
   */
  #knownId(candidate: Candidate, words: string): string {
    const { record } = candidate;
    const bySourceId = record.source_id && this.#existingBySourceId.get(sourceKey(record));
    if (bySourceId) return bySourceId;
    if (this.#existing.has(record.id) || this.#incoming.has(record.id)) return record.id;
    const same = this.#existingByWords
      .get(words)
      ?.find((known) => isSame(known, candidate) && !this.#incoming.has(known.id));
    if (same) return same.id;
    // The first table has nothing to be compared with: an export has each review once, so two equal
    // rows are two reviews.
    if (this.#tables.size === 1) return record.id;
    const other = [...(this.#incomingByWords.get(words) ?? [])].find((known) => {
      const incoming = this.#incoming.get(known)!;
      return (
        wordsKey(incoming.record) === words && // a newer version may have others
        tableOf(incoming) !== tableOf(candidate) &&
        isSame(incoming.record, candidate)
      );
    });
    return other ?? record.id;
  }
}

function sourceKey({ source, source_id: sourceId }: Tombstone | ReviewRecord): string {
  return `${source} ${sourceId}`;
}

function orderOf({ file, known, candidate }: MatchedPair): string {
  const { date, id } = known?.value ?? candidate!.record;
  return `${file} ${date} ${id}`;
}

const CHARACTERS_OF_CHANCE = 40;

/**
 * Tells whether two reviews with the same day, stars and words are one. Their author proves it. Where
 * one has no id of its platform, long words do too: two customers may write the same few words on
 * one day, but not the same sentences.
 */
function isSame(known: ReviewRecord, { record, author }: Candidate): boolean {
  const isUnnamed = !isNamed(known);
  const words = wordsOf(record);
  if (isUnnamed && words.length >= CHARACTERS_OF_CHANCE) return true;
  if (!isUnnamed && (words === '' || author === undefined)) return false;
  return isDisplayOf(known.author, author);
}

function wordsOf({ text }: ReviewRecord): string {
  return text?.replaceAll(/ \s+|[^\S ]\s*/g, ' ').trim() ?? '';
}

/** Returns the same key for reviews of one platform that agree in day, stars and words. */
function wordsKey(record: ReviewRecord): string {
  const { source, date, rating } = record;
  return [source, date, rating, wordsOf(record)].join('\n');
}

function tableOf({ place }: Candidate): string {
  return place.slice(0, place.lastIndexOf(':'));
}
