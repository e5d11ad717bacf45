import {
  brokenLine,
  readBusiness,
  readPastImports,
  readRecords,
  readTombstones,
} from './dataset-files.ts';
import { lockDataset } from './locked-dataset.ts';
import { MergeStore } from './merge-store.ts';
import { ExportReader, type ExportOptions, type FileReport, type ReadFile } from './read-export.ts';
import { ImportTally, type RowReport } from './import-tally.ts';
import { writeDataset, type WriteOptions } from './write-dataset.ts';

export interface ImportOptions extends ExportOptions, WriteOptions {
  onRow?: ((row: RowReport) => void) | undefined;
}

export interface ImportResult extends Pick<ImportTally, 'counts' | 'skipped' | 'cleaned'> {
  files: FileReport[];
  /** Names of the files that were written, inside the content folder. */
  written: string[];
}

/**
 * Imports export files into a content folder. Nothing is written before everything is read, and
 * each file is replaced at once. Importing the same files again changes nothing.
 *
 * @throws {ImportError} where the person who imports must decide something
 */
export async function importFiles(
  files: readonly string[],
  options: ImportOptions,
): Promise<ImportResult> {
  const { contentDir } = options;
  using dataset = lockDataset(contentDir);
  const business = readBusiness(contentDir);
  const known = {
    authorDisplay: business.author_display,
    own: business,
    imports: readPastImports(contentDir),
  };
  const tally = new ImportTally(options.onRow);
  const store = new MergeStore();
  for (const { value } of readTombstones(contentDir)) store.bury(value);
  for (const { name, number, line, value } of readRecords(contentDir)) {
    try {
      store.addExisting(name.slice('reviews/'.length), line, value);
    } catch (error) {
      throw brokenLine({ name, number }, error);
    }
  }
  const reader = new ExportReader(options, known, store, tally);
  const read: ReadFile[] = [];
  for (const file of files) read.push(await reader.read(file));
  const written = writeDataset(dataset, { ...options, files: read, known, store, tally });
  const { counts, skipped, cleaned } = tally;
  return { files: read, counts, skipped, cleaned, written };
}
