import { hash } from 'node:crypto';
import type { ChainMemory } from '../journal/chain.ts';
import type { Tombstone } from '../schema/provenance.ts';
import type { ReviewRecord } from '../schema/review.ts';
import { isDisplayOf } from './author.ts';
import { newerOf } from './merge.ts';
import type { Candidate } from './candidate.ts';
import { openSpill, SpilledMap } from './spill.ts';

/** One review in the order of its file: the line that content/ has, the candidate, or both. */
export interface MatchedPair {
  line: string | undefined;
  candidate: Candidate | undefined;
  /** File and row of the candidate, as messages name it. */
  place: string;
}

interface MatchedRow {
  line: string | null;
  candidate: string | null;
  place: string | null;
}

/** Matches imported reviews with those of content/, without holding either in memory. */
export class MergeStore implements Disposable {
  readonly #database = openSpill();
  /** States and hashes of the journal. */
  readonly journal: ChainMemory = {
    known: new SpilledMap(this.#database, 'journal_known'),
    hashes: new SpilledMap(this.#database, 'journal_hashes'),
  };
  /** Withdrawn reviews by their id, and by the one of their platform. */
  readonly #withdrawn = new SpilledMap<string, true>(this.#database, 'withdrawn');
  readonly #occurrences = new SpilledMap<string, number>(this.#database, 'occurrences');
  #isEmpty = true;
  /** The tables that candidates came from. */
  readonly #tables = new Set<string>();
  readonly #insertExisting;
  readonly #insertIncoming;
  readonly #incomingById;
  readonly #bySourceId;
  readonly #byId;
  readonly #existingWords;
  readonly #incomingWords;

  constructor() {
    this.#database.exec(`
      CREATE TABLE existing (
        id TEXT PRIMARY KEY, file TEXT, date TEXT, source TEXT, source_id TEXT, line TEXT, words TEXT
      );
      CREATE INDEX existing_source_id ON existing (source, source_id);
      CREATE INDEX existing_words ON existing (words);
      CREATE TABLE incoming (
        id TEXT PRIMARY KEY, file TEXT, date TEXT, candidate TEXT, place TEXT, words TEXT
      );
      CREATE INDEX incoming_words ON incoming (words);
    `);
    const prepare = (sql: string) => this.#database.prepare(sql);
    this.#insertExisting = prepare('INSERT INTO existing VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.#insertIncoming = prepare('INSERT OR REPLACE INTO incoming VALUES (?, ?, ?, ?, ?, ?)');
    this.#incomingById = prepare('SELECT candidate FROM incoming WHERE id = ?');
    this.#bySourceId = prepare('SELECT id FROM existing WHERE source = ? AND source_id = ?');
    this.#byId = prepare('SELECT id FROM existing WHERE id = ?');
    this.#existingWords = prepare('SELECT line FROM existing WHERE words = ?');
    this.#incomingWords = prepare('SELECT candidate, place FROM incoming WHERE words = ?');
  }

  /** Keeps a withdrawn review out. */
  bury({ id, source, source_id: sourceId }: Tombstone): void {
    this.#withdrawn.set(id, true);
    if (sourceId !== undefined) this.#withdrawn.set(`${source} ${sourceId}`, true);
  }

  /** Returns how many rows of a table with this key came before. */
  countBefore(table: string, key: string): number {
    const hashed = hash('sha256', `${table}\n${key}`, 'base64');
    const count = this.#occurrences.get(hashed) ?? 0;
    this.#occurrences.set(hashed, count + 1);
    return count;
  }

  /** Adds a line of content/. @throws when its id is used twice */
  addExisting(file: string, line: string, record: ReviewRecord): void {
    const { id, date, source, source_id: sourceId = null } = record;
    this.#isEmpty = false;
    this.#insertExisting.run(id, file, date, source, sourceId, line, wordsKey(record));
  }

  /** Takes a candidate, unless it was withdrawn; of two versions of one review the newer stays. */
  offer(candidate: Candidate, place: string): 'taken' | 'duplicate' | 'withdrawn' {
    const { source, source_id: sourceId, date } = candidate.record;
    const buried =
      this.#withdrawn.get(candidate.record.id) ?? this.#withdrawn.get(`${source} ${sourceId}`);
    if (buried) return 'withdrawn';
    this.#tables.add(tableOf(place));
    const id = this.#knownId(candidate, place) ?? candidate.record.id;
    const named = { ...candidate, record: { ...candidate.record, id } };
    const before = this.#incomingById.get(id) as { candidate: string } | undefined;
    const kept = before ? newerOf(JSON.parse(before.candidate) as Candidate, named) : named;
    if (kept === named) {
      const file = `${date.slice(0, 4)}.jsonl`;
      const words = wordsKey(candidate.record);
      this.#insertIncoming.run(id, file, date, JSON.stringify(named), place, words);
    }
    return before ? 'duplicate' : 'taken';
  }

  /** Names of the files that there are or will be, sorted. */
  files(): string[] {
    const rows = this.#database
      .prepare('SELECT file FROM existing UNION SELECT file FROM incoming ORDER BY file')
      .all() as { file: string }[];
    return rows.map(({ file }) => file);
  }

  /** The reviews of one file in the order it is written in: by date, then by id. */
  *pairs(file: string): Generator<MatchedPair> {
    const rows = this.#database
      .prepare(
        `SELECT e.id, e.date, e.line, i.candidate, i.place
           FROM existing e LEFT JOIN incoming i ON i.id = e.id WHERE e.file = :file
         UNION ALL
         SELECT i.id, i.date, NULL, i.candidate, i.place
           FROM incoming i LEFT JOIN existing e ON e.id = i.id WHERE i.file = :file AND e.id IS NULL
         ORDER BY 2, 1`,
      )
      .iterate({ file }) as Iterable<MatchedRow>;
    for (const { line, candidate, place } of rows) {
      yield {
        line: line ?? undefined,
        candidate: candidate === null ? undefined : (JSON.parse(candidate) as Candidate),
        place: place ?? '',
      };
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  /**
   * Finds the review in content/: by the id its platform gave it, or by the id derived from that.
   * Another tool may name it otherwise, or it was typed: then by day, stars, words and author, in
   * content/ and in the other files of this import.
   */
  #knownId(candidate: Candidate, place: string): string | undefined {
    const { id, source, source_id: sourceId } = candidate.record;
    if (!this.#isEmpty) {
      const found = ((sourceId && this.#bySourceId.get(source, sourceId)) || this.#byId.get(id)) as
        | { id: string }
        | undefined;
      if (found) return found.id;
    }
    // The first table of a new dataset has nothing to be compared with.
    if ((this.#isEmpty && this.#tables.size === 1) || this.#incomingById.get(id)) return id;
    const words = wordsKey(candidate.record);
    if (!this.#isEmpty) {
      const same = (this.#existingWords.all(words) as { line: string }[])
        .map(({ line }) => JSON.parse(line) as ReviewRecord)
        .find((record) => isSame(record, candidate) && !this.#incomingById.get(record.id));
      if (same) return same.id;
    }
    // An export has each review once, so two equal rows are two reviews.
    const others = this.#incomingWords.all(words) as { candidate: string; place: string }[];
    return others
      .filter((other) => tableOf(other.place) !== tableOf(place))
      .map((other) => (JSON.parse(other.candidate) as Candidate).record)
      .find((record) => isSame(record, candidate))?.id;
  }
}

const CHARACTERS_OF_CHANCE = 40;

/**
 * Tells whether two reviews with the same day, stars and words are one. Their author proves it. Where
 * one has no id of its platform, long words do too: two customers may write the same few words on
 * one day, but not the same sentences.
 */
function isSame(known: ReviewRecord, { record, author }: Candidate): boolean {
  const isUnnamed = known.source_id === undefined;
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

function tableOf(place: string): string {
  return place.slice(0, place.lastIndexOf(':'));
}
