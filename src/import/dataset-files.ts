import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { businessRecord } from '../schema/business.ts';
import {
  importRecord,
  tombstone,
  type ImportRecord,
  type Tombstone,
} from '../schema/provenance.ts';
import type { ReviewRecord } from '../schema/review.ts';
import type { AuthorDisplay } from './author.ts';
import { ImportError } from './choose-reading.ts';
import { linesOf } from './json-rows.ts';

/** One line of `reviews/*.jsonl`. */
interface ExistingLine {
  /** Name of the file in `reviews/`. */
  file: string;
  /** From 1. */
  number: number;
  line: string;
  record: ReviewRecord;
}

/** Reads the reviews of a dataset one by one. @throws {ImportError} at a line that is broken */
export async function* readRecords(contentDir: string): AsyncGenerator<ExistingLine> {
  const folder = join(contentDir, 'reviews');
  for (const file of await namesIn(folder)) {
    if (!file.endsWith('.jsonl')) continue;
    const text = createReadStream(join(folder, file), 'utf8') as AsyncIterable<string>;
    let number = 0;
    for await (const line of linesOf(text)) {
      number++;
      if (line.trim() === '') continue;
      let record: ReviewRecord;
      try {
        record = JSON.parse(line) as ReviewRecord;
      } catch (error) {
        throw brokenLine(file, number, error);
      }
      yield { file, number, line: line.trimEnd(), record };
    }
  }
}

/** Names a line of content/ that an import cannot go on from. */
export function brokenLine(file: string, number: number, cause: unknown): ImportError {
  const reason = `content/reviews/${file}:${number}: cannot be read: ${(cause as Error).message}`;
  return new ImportError(reason, { cause });
}

/** Reads how `business.json` wants author names written. */
export async function readAuthorDisplay(contentDir: string): Promise<AuthorDisplay> {
  const business = await readIfThere(join(contentDir, 'business.json'));
  const display = business && (JSON.parse(business) as { author_display?: unknown }).author_display;
  return businessRecord.shape.author_display.parse(display);
}

export function readTombstones(contentDir: string): AsyncGenerator<Tombstone> {
  return readLines(join(contentDir, 'withdrawn.jsonl'), tombstone);
}

/** Reads the records of earlier imports, oldest first. */
export async function readPastImports(contentDir: string): Promise<ImportRecord[]> {
  const imports: ImportRecord[] = [];
  const lines = readLines(join(contentDir, 'imports.jsonl'), importRecord);
  for await (const record of lines) imports.push(record);
  return imports;
}

async function* readLines<T>(
  path: string,
  schema: { parse(value: unknown): T },
): AsyncGenerator<T> {
  if (!existsSync(path)) return;
  let number = 0;
  for await (const line of linesOf(createReadStream(path, 'utf8') as AsyncIterable<string>)) {
    number++;
    if (line.trim() === '') continue;
    let value: T;
    try {
      value = schema.parse(JSON.parse(line));
    } catch (error) {
      throw new ImportError(`${path}:${number}: cannot be read`, { cause: error });
    }
    yield value;
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the names in a folder, sorted; none if there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
