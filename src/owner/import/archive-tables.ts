import { isOfMaps } from './other-kinds.ts';
import { chooseParts, OF_OTHERS } from './choose-parts.ts';
import type { Rank } from './rank.ts';
import type { ExportFile, Table } from './table.ts';
import type { ZipArchive } from './zip-archive.ts';

/** The files of a Takeout: its folders have translated names, its files have not. */
const REVIEWS = /(?:^|\/)reviews[^/]*\.(?:json|csv)$/i;
const TABLES = /\.(?:csv|tsv|json|jsonl|ndjson|xlsx)$/i;
/** Entries that may hold reviews; a Takeout has a JSON file for each post, too. */
const NAMED = /\.(?:csv|tsv|jsonl|ndjson|xlsx?|xlsb|ods|numbers|zip|gz|tgz|rar|7z)$/i;
/** Files that macOS and editors add. */
const ASIDE = /(?:^|\/)(?:__MACOSX\/|[.~])/;
const SHOWN = 5;

/**
 * Reads the entries called reviews, or else those that look like reviews.
 *
 * @param readEntry reads the tables of one entry
 * @throws where there is none, or one is broken
 */
export async function archiveTables(
  name: string,
  archive: ZipArchive,
  rank: Rank,
  readEntry: (entry: ExportFile) => Promise<Table[]>,
): Promise<Table[]> {
  const entries = archive.names.filter((entry) => !ASIDE.test(entry) && !OF_OTHERS.test(entry));
  const reviews = entries.filter((entry) => REVIEWS.test(entry));
  const wanted = new Set(
    reviews.length > 0 ? reviews : entries.filter((entry) => TABLES.test(entry)),
  );
  if (wanted.size === 0) {
    const shown = entries.slice(0, SHOWN).join(', ');
    throw new Error(
      `${name}: has no CSV, Excel or JSON file: unpack it and import the file; it has ${shown}`,
    );
  }
  const files = await archive.read([...wanted]);
  const ours = files.filter(({ bytes }) => !isOfMaps(bytes));
  const tables: (Table & { what: string })[] = [];
  for (const { name: entry, bytes } of ours.length > 0 ? ours : files) {
    const read = await readEntry({ name: `${name}/${entry}`, bytes });
    tables.push(...read.map((table) => ({ ...table, what: `the entry ${entry}` })));
  }
  const { chosen, unread } = chooseParts(tables, rank, true);
  const left = archive.names.filter(
    (entry) => !wanted.has(entry) && NAMED.test(entry) && !ASIDE.test(entry),
  );
  unread.push(...left.map((entry) => ({ what: `the entry ${entry}`, rows: 0 })));
  const [first, ...more] = chosen;
  return first ? [{ ...first, unread: [...first.unread, ...unread] }, ...more] : [];
}
