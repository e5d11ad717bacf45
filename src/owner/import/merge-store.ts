import { hash } from 'node:crypto';
import type { Tombstone } from '../../schema/provenance.ts';
import type { ReviewRecord } from '../../schema/review.ts';
import { isDisplayOf } from './author.ts';
import { isNamed, salted, type Candidate } from './candidate.ts';
import { newerOf } from './merge.ts';

/** A review of content/, as its line: a parsed record takes twice the memory. */
interface Existing {
  /** Name of the file in `reviews/`. */
  file: string;
  date: string;
  line: string;
}

interface Incoming {
  candidate: Candidate;
  words: string;
}

/** A review of content/, a candidate, or both. */
export interface MatchedPair {
  /** Name of the file in `reviews/`. */
  file: string;
  /** Date and id, by which the lines of a file are ordered. */
  order: string;
  /** Its line in content/. */
  line?: string;
  /** True if it was withdrawn, and its line is still there: a command was stopped between the two. */
  isBuried?: boolean;
  incoming?: Incoming | undefined;
}

/** Matches imported reviews with those of content/. */
export class MergeStore {
  /** Withdrawn reviews by their id, and by the one of their platform. */
  readonly #withdrawn = new Set<string>();
  /** The tables that candidates came from. */
  readonly #tables = new Set<string>();
  readonly #existing = new Map<string, Existing>();
  readonly #incoming = new Map<string, Incoming>();
  /** Ids by the platform's id, and by day, stars and words. */
  readonly #existingBySourceId = new Map<string, string>();
  readonly #existingByWords = new Map<string, string[]>();
  readonly #incomingByWords = new Map<string, string[]>();
  readonly #salt: () => string;

  /** @param salt makes the salt of a new review */
  constructor(salt: () => string) {
    this.#salt = salt;
  }

  /** Keeps a withdrawn review out. */
  bury({ id, source, source_id: sourceId }: Tombstone): void {
    this.#withdrawn.add(id);
    if (sourceId !== undefined) this.#withdrawn.add(`${source} ${sourceId}`);
  }

  /** Adds a line of content/. @throws when its id is used twice */
  addExisting(file: string, line: string, record: ReviewRecord): void {
    const { id, date, source, source_id: sourceId } = record;
    if (this.#existing.has(id)) throw new Error(`id: ${id} is used twice`);
    this.#existing.set(id, { file, date, line });
    if (sourceId !== undefined && !this.#existingBySourceId.has(`${source} ${sourceId}`)) {
      this.#existingBySourceId.set(`${source} ${sourceId}`, id);
    }
    addTo(this.#existingByWords, wordsKey(record), id);
  }

  /** Takes a candidate, unless it was withdrawn; of two versions of one review the newer stays. */
  offer(candidate: Candidate): 'taken' | 'duplicate' | 'withdrawn' {
    const { id: ownId, source, source_id: sourceId } = candidate.record;
    if (this.#withdrawn.has(ownId) || this.#withdrawn.has(`${source} ${sourceId}`)) {
      return 'withdrawn';
    }
    this.#tables.add(tableOf(candidate));
    const words = wordsKey(candidate.record);
    const id = this.#knownId(candidate, words);
    const named = { ...candidate, record: { ...candidate.record, id } };
    const before = this.#incoming.get(id);
    if (!before || newerOf(before.candidate, named) === named) {
      this.#incoming.set(id, { candidate: named, words });
      if (before?.words !== words) addTo(this.#incomingByWords, words, id);
    }
    return before ? 'duplicate' : 'taken';
  }

  /**
   * Returns the reviews of each file that there is or will be, in the order of its lines.
   *
   * @param isFull true if the exports have every review of their platforms
   */
  files(isFull: boolean): Map<string, MatchedPair[]> {
    if (isFull) this.#matchEdits();
    const pairs: MatchedPair[] = [];
    for (const [id, { file, date, line }] of this.#existing) {
      const isBuried = this.#withdrawn.has(id);
      pairs.push({
        file,
        order: `${date} ${id}`,
        line,
        isBuried,
        incoming: this.#incoming.get(id),
      });
    }
    for (const [id, incoming] of this.#incoming) {
      if (this.#existing.has(id)) continue;
      const candidate = { ...incoming.candidate };
      candidate.record = salted(candidate.record, this.#salt());
      const { date, id: ownId } = candidate.record;
      const order = `${date} ${ownId}`;
      pairs.push({
        file: `${date.slice(0, 4)}.jsonl`,
        order,
        incoming: { ...incoming, candidate },
      });
    }
    pairs.sort((a, b) => (a.order < b.order ? -1 : 1));
    const files = Map.groupBy(pairs, ({ file }) => file);
    return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * Takes a new row of an export without ids for the edited version of a review that the export lacks,
   * if each is the only one of its author on that day and platform.
   */
  #matchEdits(): void {
    const place = ({ source, date }: ReviewRecord) => `${source} ${date}`;
    const added = [...this.#incoming].filter(
      ([id, { candidate }]) =>
        !this.#existing.has(id) && candidate.author !== undefined && !isNamed(candidate.record),
    );
    const newByPlace = Map.groupBy(added, ([, { candidate }]) => place(candidate.record));
    if (newByPlace.size === 0) return;
    const gone = [...this.#existing]
      .filter(([id]) => !this.#incoming.has(id) && !this.#withdrawn.has(id))
      .map(([, { line }]) => JSON.parse(line) as ReviewRecord)
      .filter((record) => !isNamed(record) && newByPlace.has(place(record)));
    const goneByPlace = Map.groupBy(gone, place);
    for (const known of gone) {
      const isOf = ({ candidate: { author } }: Incoming) => isDisplayOf(known.author, author);
      const [found, ...others] = newByPlace.get(place(known))!.filter(([, each]) => isOf(each));
      if (!found || others.length > 0) continue;
      const [id, incoming] = found;
      const rivals = goneByPlace.get(place(known))!.filter(({ author }) => author === known.author);
      if (rivals.length > 1 || !this.#incoming.delete(id)) continue;
      const record = { ...incoming.candidate.record, id: known.id };
      this.#incoming.set(known.id, { ...incoming, candidate: { ...incoming.candidate, record } });
    }
  }

  /**
   * Finds the review in content/: by the name its platform or its row gave it, or by the id derived from that.
   * Another tool may name it otherwise, or it was typed: then by day, stars, words and author, in
   * content/ and in the other files of this import.
   */
  #knownId(candidate: Candidate, words: string): string {
    const { id, source, source_id: sourceId } = candidate.record;
    const bySourceId = sourceId && this.#existingBySourceId.get(`${source} ${sourceId}`);
    if (bySourceId) return bySourceId;
    if (this.#existing.has(id) || this.#incoming.has(id)) return id;
    const same = this.#existingByWords.get(words)?.find((existing) => {
      const record = JSON.parse(this.#existing.get(existing)!.line) as ReviewRecord;
      return isSame(record, candidate) && !this.#incoming.has(existing);
    });
    if (same) return same;
    // The first table has nothing to be compared with: an export has each review once, so two equal
    // rows are two reviews.
    if (this.#tables.size === 1) return id;
    const other = this.#incomingByWords.get(words)?.find((known) => {
      const incoming = this.#incoming.get(known)!;
      return (
        incoming.words === words && // a newer version may have others
        tableOf(incoming.candidate) !== tableOf(candidate) &&
        isSame(incoming.candidate.record, candidate)
      );
    });
    return other ?? id;
  }
}

function addTo(map: Map<string, string[]>, key: string, value: string): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
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
  return hash('sha256', [source, date, rating, wordsOf(record)].join('\n'), 'base64');
}

function tableOf({ place }: Candidate): string {
  return place.slice(0, place.lastIndexOf(':'));
}
