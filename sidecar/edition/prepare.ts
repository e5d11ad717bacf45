import { adoptEdition } from './adopt.ts';
import { readDocuments, type EditionDocuments } from './documents.ts';
import { readLastGood, type AdoptedEdition } from './kept-editions.ts';
import type { EditionSource } from './source.ts';
import type { Upkeep } from './verified-files.ts';

/** An edition in DATA_DIR with its documents, ready to be created. */
export interface PreparedEdition {
  adopted: AdoptedEdition;
  documents: EditionDocuments;
}

export interface PrepareOptions {
  source: EditionSource;
  /** edition.json of the source. */
  manifestBytes: Buffer;
  dataDir: string;
  /** Bytes of the largest edition to accept, all files together. */
  maxBytes: number;
  upkeep: Upkeep;
}

/**
 * Does all the work of a new edition that takes long: copies, verifies, reads and indexes it.
 *
 * @throws {UnusableEditionError} if it is incomplete, damaged or too large
 */
export async function prepareEdition({
  source,
  manifestBytes,
  dataDir,
  maxBytes,
  upkeep,
}: PrepareOptions): Promise<PreparedEdition> {
  const previous = () => readLastGood(dataDir, source.name);
  const adopted = await adoptEdition(source, manifestBytes, { dataDir, maxBytes, previous });
  return { adopted, documents: await readDocuments(adopted, upkeep) };
}
