import {
  brokenLine,
  readBusiness,
  readPastImports,
  readRecords,
  readTombstones,
} from '../dataset-files.ts';
import { lockDataset } from '../locked-dataset.ts';
import { randomSalt } from '../random-salt.ts';
import { MergeStore } from './merge-store.ts';
import { readExport, type ExportOptions, type FileReport } from './read-export.ts';
import { readExportFile, type ExportFile } from './tables.ts';
import { ImportTally, type RowReport } from './import-tally.ts';
import { writeDataset, type WriteOptions } from './write-dataset.ts';

export interface ImportOptions extends ExportOptions, WriteOptions {
  onRow?: ((row: RowReport) => void) | undefined;
  /** Makes the salt of a new review; random if left out. */
  salt?: (() => string) | undefined;
}

export interface ImportResult extends Pick<ImportTally, 'counts' | 'skipped' | 'cleaned'> {
  files: FileReport[];
  /** Names of the files that were written, inside the content folder. */
  written: string[];
}

/**
 * Imports exports, or the files at some paths, into a content folder. Nothing is written before
 * everything is read, and each file is replaced as a whole. Importing the same files again changes nothing.
 *
 * @throws {ImportError} where the person who imports must decide something
 */
export async function importFiles(
  files: readonly (string | ExportFile)[],
  options: ImportOptions,
): Promise<ImportResult> {
  const { contentDir } = options;
  using dataset = lockDataset(contentDir);
  const business = readBusiness(contentDir);
  const known = {
    authorDisplay: business.author_display,
    imports: readPastImports(contentDir),
  };
  // Before content/ is in memory: parsing an export takes the most of it.
  const read: Awaited<ReturnType<typeof readExport>>[] = [];
  for (const file of files) {
    const given = typeof file === 'string' ? readExportFile(file) : file;
    read.push(await readExport(given, options, known));
  }
  const tally = new ImportTally(options.onRow);
  const store = storeOf(contentDir, options.salt ?? randomSalt);
  for (const { file, candidates } of read) {
    for (const { place, reason } of file.rejected) tally.skip(place, reason);
    for (const candidate of candidates) {
      const offered = store.offer(candidate);
      if (offered === 'taken') tally.take(candidate, business);
      else {
        file.skipped++;
        tally.skip(candidate.place, NOT_TAKEN[offered]);
      }
    }
  }
  const exports = read.map(({ file }) => file);
  const written = writeDataset(dataset, { ...options, files: exports, known, store, tally });
  const { counts, skipped, cleaned } = tally;
  return { files: exports, counts, skipped, cleaned, written };
}

/** Returns a store that has the reviews and the tombstones of content/. */
function storeOf(contentDir: string, salt: () => string): MergeStore {
  const store = new MergeStore(salt);
  for (const { value } of readTombstones(contentDir)) store.bury(value);
  for (const { name, number, line, value } of readRecords(contentDir)) {
    try {
      store.addExisting(name.slice('reviews/'.length), line, value);
    } catch (error) {
      throw brokenLine({ name, number }, error);
    }
  }
  return store;
}

const NOT_TAKEN = {
  duplicate: 'is in the export twice',
  withdrawn: 'was withdrawn; its line in withdrawn.jsonl keeps it out',
};
