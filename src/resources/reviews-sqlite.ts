import { SQLITE_PATH, SQLITE_TYPE } from '../paths.ts';
import { documentResource } from './resource.ts';

/** Written by `src/build/write-sqlite.ts`: SQLite writes to files. */
export const SQLITE = documentResource({
  id: 'getReviewsSqlite',
  path: SQLITE_PATH,
  type: SQLITE_TYPE,
  isDownload: true,
  tag: 'Reviews',
  title: 'The reviews as a database',
  description:
    'SQLite 3, for Datasette, DuckDB and any language: the tables reviews, mentions, aspects, names and about, and the views aspect_counts and mention_counts.',
});
