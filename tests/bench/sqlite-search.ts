import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { fold } from '../../src/search/tokens.ts';
import { NameIndex } from '../../src/search/names.ts';
import type { Manifest } from '../../src/edition/manifest.ts';
import type { Review } from '../../src/schema/review.ts';
import type { SearchFilters } from '../../src/schema/search.ts';

const TABLES = `
  CREATE TABLE reviews (position INTEGER PRIMARY KEY, rating INTEGER, date TEXT);
  CREATE TABLE technicians (id TEXT, position INTEGER, PRIMARY KEY (id, position)) WITHOUT ROWID;
  CREATE TABLE services (id TEXT, position INTEGER, PRIMARY KEY (id, position)) WITHOUT ROWID;
  CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'trigram');`;

type Mentions = 'technicians' | 'services';

/** The same search with SQLite: an FTS5 trigram index, and tables for the filters. */
export class SqliteSearch {
  readonly #database = new DatabaseSync(':memory:');
  readonly #names: Record<Mentions, NameIndex>;
  readonly #statements = new Map<string, StatementSync>();

  constructor(reviews: readonly Review[], names: Manifest['names']) {
    this.#names = {
      technicians: new NameIndex(names.technicians ?? []),
      services: new NameIndex(names.services ?? []),
    };
    this.#database.exec(`${TABLES} BEGIN`);
    const statements = {
      review: this.#database.prepare('INSERT INTO reviews VALUES (?, ?, ?)'),
      text: this.#database.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)'),
      technicians: this.#database.prepare('INSERT INTO technicians VALUES (?, ?)'),
      services: this.#database.prepare('INSERT INTO services VALUES (?, ?)'),
    };
    reviews.forEach(({ rating, date, text, mentions }, position) => {
      statements.review.run(position, rating, date);
      if (text !== null) statements.text.run(position, fold(text));
      for (const id of mentions.technicians) statements.technicians.run(id, position);
      for (const id of mentions.services) statements.services.run(id, position);
    });
    this.#database.exec("COMMIT; INSERT INTO texts (texts) VALUES ('optimize'); ANALYZE");
  }

  /** Finds the newest `limit` matches, and returns how many there are. The query is not empty. */
  search(filters: SearchFilters): number {
    const { rating, min_rating, since, until, query } = filters;
    const conditions: string[] = [];
    const values: (string | number)[] = [];
    const where = (condition: string, ...given: (string | number)[]): void => {
      conditions.push(condition);
      values.push(...given);
    };
    const folded = fold(query!);
    if ([...folded].length >= 3) where('texts MATCH ?', `"${folded.replaceAll('"', '""')}"`);
    else where("texts.text LIKE ? ESCAPE '\\'", `%${folded.replace(/[\\%_]/g, String.raw`\$&`)}%`);
    if (rating !== undefined) where('rating = ?', rating);
    if (min_rating !== undefined) where('rating >= ?', min_rating);
    if (since !== undefined) where('date >= ?', since);
    if (until !== undefined) where('date <= ?', until);
    this.#mentioning('technicians', filters.mentions_technician, where);
    this.#mentioning('services', filters.mentions_service, where);

    const attributes = conditions.some((condition) => /^(rating|date)/.test(condition));
    const rows = this.#prepared(
      `SELECT count(*) OVER () AS matched, texts.rowid AS position FROM texts
       ${attributes ? 'JOIN reviews ON reviews.position = texts.rowid' : ''}
       WHERE ${conditions.join(' AND ')} ORDER BY texts.rowid LIMIT ?`,
    ).all(...values, filters.limit) as { matched: number; position: number }[];
    return rows[0]?.matched ?? 0;
  }

  #mentioning(
    table: Mentions,
    name: string | undefined,
    where: (condition: string, ...values: string[]) => void,
  ): void {
    if (name === undefined) return;
    const ids = this.#names[table].resolve(name);
    const marks = ids.map(() => '?').join(', ');
    where(`texts.rowid IN (SELECT position FROM ${table} WHERE id IN (${marks}))`, ...ids);
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
