import { isOfMaps } from './other-kinds.ts';
import { READABLE, type Rank } from './rank.ts';
import type { ExportFile, Table } from './table.ts';
import type { ZipArchive } from './zip-archive.ts';

/** The files of a Takeout: its folders have translated names, its files have not. */
const REVIEWS = /(?:^|\/)reviews[^/]*\.(?:json|csv)$/i;
const TABLES = /\.(?:csv|tsv|json|jsonl|ndjson|xlsx)$/i;
/** Entries that may hold reviews, and are left out. */
const PACKED = /\.(?:zip|xls|xlsb|ods|numbers|gz|tgz|rar|7z)$/i;
/** What macOS and editors put beside files. */
const ASIDE = /(?:^|\/)(?:__MACOSX\/|[.~])/;

/**
 * Reads the entries called reviews, or else those that look like reviews.
 *
 * @param read reads the tables of one entry
 * @throws where there is none, or an entry called reviews is broken
 */
export async function archiveTables(
  name: string,
  archive: ZipArchive,
  rank: Rank,
  read: (entry: ExportFile) => Promise<Table[]>,
): Promise<Table[]> {
  const entries = archive.names.filter((entry) => !ASIDE.test(entry));
  const tables = entries.filter((entry) => TABLES.test(entry));
  const isNamed = tables.some((entry) => REVIEWS.test(entry));
  // A Takeout has a JSON file for each post and each setting, too.
  const wanted = tables.filter((entry) => {
    return !isNamed || REVIEWS.test(entry) || !/\.json$/i.test(entry);
  });
  const files = await archive.read(wanted);
  const ours = files.filter(({ bytes }) => !isOfMaps(bytes));
  const found: Table[] = [];
  const left: { entry: string; tables: Table[]; reason?: string }[] = [];
  for (const { name: entry, bytes } of ours.length > 0 ? ours : files) {
    const file = { name: `${name}/${entry}`, bytes };
    if (REVIEWS.test(entry)) {
      found.push(...(await read(file)));
      continue;
    }
    try {
      left.push({ entry, tables: await read(file) });
    } catch (error) {
      left.push({ entry, tables: [], reason: (error as Error).message });
    }
  }
  const rankOf = ({ rows }: Table) => rank(rows.filter(({ cut }) => !cut).map(({ row }) => row));
  const rankOfAll = (tables: readonly Table[]) => Math.max(0, ...tables.map(rankOf));
  const byRank = left
    .map((each) => ({ ...each, rank: rankOfAll(each.tables) }))
    .sort((a, b) => b.rank - a.rank);
  // Without a name the content decides; if no entry looks like reviews, the best is asked about.
  const chosen = isNamed
    ? []
    : byRank.filter((each, at) => each.rank >= READABLE || (at === 0 && each.tables.length > 0));
  found.push(...chosen.flatMap(({ tables }) => tables));
  if (found.length === 0) throw new Error(`${name}: ${nothingIn(entries, left)}`);
  const unread = byRank.filter((each) => {
    return !chosen.includes(each) && (each.rank >= READABLE || each.reason !== undefined);
  });
  const packed = entries.filter((entry) => PACKED.test(entry));
  const [first, ...more] = found;
  const named = [
    ...unread.map(({ entry, tables }) => ({
      what: `the entry ${entry}`,
      rows: tables.reduce((sum, { rows }) => sum + rows.length, 0),
    })),
    ...packed.map((entry) => ({ what: `the entry ${entry}`, rows: 0 })),
  ];
  return [{ ...first!, unread: [...first!.unread, ...named] }, ...more];
}

const SHOWN = 5;

function nothingIn(entries: readonly string[], left: readonly { reason?: string }[]): string {
  const reasons = left.flatMap(({ reason }) => reason ?? []);
  if (reasons.length > 0) return reasons.slice(0, SHOWN).join('; ');
  const shown = entries.slice(0, SHOWN).join(', ');
  return `the archive has no CSV, Excel or JSON file: unpack it and import the file; it has ${shown}`;
}
