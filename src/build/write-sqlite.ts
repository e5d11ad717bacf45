import { DatabaseSync } from 'node:sqlite';
import { CSV_COLUMNS } from '../resources/reviews-csv.ts';
import type { Source } from '../resources/source.ts';
import type { ReviewsDataset } from '../schema/dataset.ts';
import type { InsightsDataset, PerReview } from '../schema/insights.ts';

/** Changes when a table or column is removed or changes its meaning; `PRAGMA user_version`. */
const SCHEMA_VERSION = 1;

/** Plain tables: old versions of SQLite and the readers of other programs open them too. */
const TABLES = `
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE reviews (
  id TEXT PRIMARY KEY,
  date TEXT NOT NULL,
  rating INTEGER NOT NULL,
  title TEXT,
  text TEXT,
  author TEXT NOT NULL,
  author_avatar_url TEXT,
  language TEXT NOT NULL,
  source TEXT NOT NULL,
  source_url TEXT,
  reply TEXT,
  reply_date TEXT,
  updated_at TEXT NOT NULL,
  url TEXT NOT NULL,
  score REAL,
  score_best REAL,
  criticism_at INTEGER,
  verification TEXT NOT NULL,
  origin TEXT,
  sentiment TEXT NOT NULL,
  sentiment_score REAL
);
CREATE TABLE attributes (
  review_id TEXT NOT NULL REFERENCES reviews (id),
  name TEXT NOT NULL,
  value TEXT NOT NULL
);
CREATE TABLE names (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  label TEXT NOT NULL,
  PRIMARY KEY (kind, id)
);
CREATE TABLE mentions (
  review_id TEXT NOT NULL REFERENCES reviews (id),
  kind TEXT NOT NULL,
  name_id TEXT NOT NULL,
  FOREIGN KEY (kind, name_id) REFERENCES names (kind, id)
);
CREATE TABLE aspects (
  review_id TEXT NOT NULL REFERENCES reviews (id),
  kind TEXT NOT NULL DEFAULT 'aspect',
  aspect_id TEXT NOT NULL,
  sentiment TEXT NOT NULL,
  score REAL NOT NULL,
  quote TEXT,
  FOREIGN KEY (kind, aspect_id) REFERENCES names (kind, id)
);`;

/**
 * Written after the rows, which is faster and packs them densely. The views are standard SQL: DuckDB
 * runs their text itself.
 */
const INDEXES_AND_VIEWS = `
CREATE INDEX reviews_by_date ON reviews (date);
CREATE INDEX attributes_by_review ON attributes (review_id);
CREATE INDEX mentions_by_review ON mentions (review_id);
CREATE INDEX mentions_by_name ON mentions (kind, name_id);
CREATE INDEX aspects_by_review ON aspects (review_id);
CREATE INDEX aspects_by_aspect ON aspects (aspect_id, sentiment);
CREATE VIEW aspect_counts AS
  SELECT names.id, names.label,
    COUNT(aspects.sentiment) AS mention_count,
    COUNT(*) FILTER (WHERE sentiment = 'positive') AS positive_count,
    COUNT(*) FILTER (WHERE sentiment = 'neutral') AS neutral_count,
    COUNT(*) FILTER (WHERE sentiment = 'negative') AS negative_count
  FROM names LEFT JOIN aspects ON aspects.aspect_id = names.id
  WHERE names.kind = 'aspect'
  GROUP BY names.id, names.label;
CREATE VIEW mention_counts AS
  SELECT names.kind, names.id, names.label,
    COUNT(reviews.id) AS mention_count, ROUND(AVG(reviews.rating), 2) AS average_rating
  FROM names
  LEFT JOIN mentions ON mentions.kind = names.kind AND mentions.name_id = names.id
  LEFT JOIN reviews ON reviews.id = mentions.review_id
  WHERE names.kind <> 'aspect'
  GROUP BY names.kind, names.id, names.label;`;

/** Kinds of names in `mentions`, and where a review's labels have their ids. */
const KINDS = {
  technician: 'technicians',
  service: 'services',
  service_area: 'service_areas',
  problem: 'problems',
  topic: 'topics',
} as const satisfies Record<string, keyof PerReview>;

/** The columns of reviews.csv that the table of reviews has too; its lists have tables of their own. */
const COLUMNS = Object.entries(CSV_COLUMNS);
const OF_REVIEWS = COLUMNS.slice(
  0,
  COLUMNS.findIndex(([name]) => name === 'aspects'),
);

/**
 * Writes reviews.sqlite. The same dataset gives the same bytes: rows go in by the order of
 * reviews.json, and the file has no time and no free page.
 */
export function writeSqlite(
  file: string,
  { baseUrl, dataset, insights }: Pick<Source, 'baseUrl' | 'dataset' | 'insights'>,
): void {
  const { business, edition, license, updated_at } = dataset;
  const about = {
    business: business.name,
    site: `${baseUrl}/`,
    edition,
    updated_at,
    license: license.url,
    terms: license.terms,
  };
  const database = new DatabaseSync(file);
  try {
    // Nothing to recover: a build that fails removes the file.
    database.exec(`PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      PRAGMA user_version = ${SCHEMA_VERSION}; BEGIN; ${TABLES}`);
    insertAll(database, 'about', Object.entries(about));
    insertAll(database, 'names', namesOf(insights));
    insertAll(database, 'reviews', reviewRows(dataset, insights));
    insertAll(database, 'attributes', attributeRows(dataset));
    insertAll(database, 'mentions', mentionRows(dataset, insights));
    insertAll(database, 'aspects', aspectRows(dataset, insights));
    database.exec(`${INDEXES_AND_VIEWS} COMMIT; VACUUM;`);
  } finally {
    database.close();
  }
}

type Row = readonly (string | number | null)[];

function insertAll(database: DatabaseSync, table: string, rows: Iterable<Row>): void {
  let insert: ReturnType<DatabaseSync['prepare']> | undefined;
  for (const row of rows) {
    insert ??= database.prepare(`INSERT INTO ${table} VALUES (${row.map(() => '?').join()})`);
    insert.run(...row);
  }
}

function* namesOf({ aspects, entities, topics }: InsightsDataset): Generator<Row> {
  const lists = { ...entities, topics };
  for (const { id, label } of aspects) yield ['aspect', id, label];
  for (const [kind, list] of Object.entries(KINDS)) {
    for (const { id, label } of lists[list]) yield [kind, id, label];
  }
}

function* reviewRows({ reviews }: ReviewsDataset, insights: InsightsDataset): Generator<Row> {
  for (const review of reviews) {
    const labels = insights.per_review[review.id]!;
    yield [...OF_REVIEWS.map(([, [, value]]) => value(review, labels)), labels.score];
  }
}

function* attributeRows({ reviews }: ReviewsDataset): Generator<Row> {
  for (const { id, attributes = {} } of reviews) {
    for (const [name, value] of Object.entries(attributes)) yield [id, name, value];
  }
}

function* mentionRows({ reviews }: ReviewsDataset, insights: InsightsDataset): Generator<Row> {
  for (const { id } of reviews) {
    for (const [kind, list] of Object.entries(KINDS)) {
      for (const name of insights.per_review[id]![list]) yield [id, kind, name];
    }
  }
}

function* aspectRows({ reviews }: ReviewsDataset, insights: InsightsDataset): Generator<Row> {
  for (const { id } of reviews) {
    for (const { id: aspect, sentiment, score, quote } of insights.per_review[id]!.aspects) {
      yield [id, 'aspect', aspect, sentiment, score, quote];
    }
  }
}
