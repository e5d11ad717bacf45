import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { businessRecord } from '../schema/business.ts';
import {
  importRecord,
  tombstone,
  type ImportRecord,
  type Tombstone,
} from '../schema/provenance.ts';
import type { ReviewRecord } from '../schema/review.ts';
import { ImportError } from './import/choose-reading.ts';

/** One line of a dataset's file, parsed. */
export interface PlacedLine<T> {
  /** Path inside the dataset. */
  name: string;
  /** From 1; 0 is the file itself. */
  number: number;
  line: string;
  value: T;
}

/** The fields that an import needs; a build checks all of them. */
const identifiedRecord = z.looseObject({
  id: z.string(),
  date: z.string(),
  source: z.string(),
  text: z.string().nullish(),
});

/** Reads the reviews of a dataset. @throws {ImportError} at a line that is broken */
export function readRecords(contentDir: string): Generator<PlacedLine<ReviewRecord>> {
  return readFolder(contentDir, 'reviews', (value) => {
    identifiedRecord.parse(value);
    return value as ReviewRecord;
  });
}

/** Reads the lines of all `.jsonl` files in a folder of a dataset, file by file. */
export function* readFolder<T>(
  contentDir: string,
  folder: string,
  parse: (value: unknown) => T,
): Generator<PlacedLine<T>> {
  for (const file of namesIn(join(contentDir, folder))) {
    if (file.endsWith('.jsonl')) yield* readLines(contentDir, `${folder}/${file}`, parse);
  }
}

/** Names a line of content/ that an import cannot go on from. */
export function brokenLine(
  { name, number }: Pick<PlacedLine<unknown>, 'name' | 'number'>,
  cause: unknown,
): ImportError {
  const place = number > 0 ? `content/${name}:${number}` : `content/${name}`;
  const reason = `${place}: ${reasonOf(cause)}: npm run reviews -- check says more`;
  return new ImportError(reason, { cause });
}

function reasonOf(cause: unknown): string {
  if (cause instanceof z.ZodError) {
    const { path, message } = cause.issues[0]!;
    return [...path, message].join(': ');
  }
  const { message } = cause as Error;
  return cause instanceof SyntaxError ? `cannot be read: ${message}` : message;
}

/** The fields of business.json that an import needs. */
const importedBusiness = businessRecord.pick({
  author_display: true,
  phone: true,
  email: true,
  url: true,
  address: true,
});
type ImportedBusiness = z.infer<typeof importedBusiness>;

/** Reads how `business.json` wants author names written, and the contacts of the business. */
export function readBusiness(contentDir: string): ImportedBusiness {
  const name = 'business.json';
  try {
    const fields = JSON.parse(readFileSync(join(contentDir, name), 'utf8')) as object;
    return importedBusiness.strip().parse(fields);
  } catch (error) {
    throw brokenLine({ name, number: 0 }, error);
  }
}

export function readTombstones(contentDir: string): Generator<PlacedLine<Tombstone>> {
  return readLines(contentDir, 'withdrawn.jsonl', (value) => tombstone.parse(value));
}

/** Reads the records of earlier imports, oldest first. */
export function readPastImports(contentDir: string): ImportRecord[] {
  const lines = readLines(contentDir, 'imports.jsonl', (value) => importRecord.parse(value));
  return [...lines].map(({ value }) => value);
}

function* readLines<T>(
  contentDir: string,
  name: string,
  parse: (value: unknown) => T,
): Generator<PlacedLine<T>> {
  const text = orIfMissing('', () => readFileSync(join(contentDir, name), 'utf8'));
  let number = 0;
  for (const line of text.split('\n')) {
    number++;
    if (line.trim() === '') continue;
    let value: T;
    try {
      value = parse(JSON.parse(line));
    } catch (error) {
      throw brokenLine({ name, number }, error);
    }
    yield { name, number, line: line.trimEnd(), value };
  }
}

/** Returns the names in a folder, sorted; none if there is no such folder. */
function namesIn(folder: string): string[] {
  return orIfMissing([], () => readdirSync(folder).sort());
}

function orIfMissing<T>(missing: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return missing;
    throw error;
  }
}
