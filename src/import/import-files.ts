import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { businessRecord } from '../schema/business.ts';
import {
  importRecord,
  tombstone,
  type ImportRecord,
  type Tombstone,
} from '../schema/provenance.ts';
import { slugOf } from '../schema/primitives.ts';
import type { ReviewRecord } from '../schema/review.ts';
import type { AuthorDisplay } from './author.ts';
import { readDraft } from './draft.ts';
import { REVIEWS_DATASET, VERIFICATION, type Format } from './formats.ts';
import { detectLanguage } from './language.ts';
import { mergeRecord, toLine } from './merge.ts';
import { MergeStore } from './merge-store.ts';
import { personalDataIn } from './personal-data.ts';
import { chooseReading, ImportError, type Reading, type ReadingChoices } from './reading.ts';
import { toCandidate } from './record.ts';
import { linesOf, sha256Of, tablesOf, type NumberedRow, type Table } from './rows.ts';

export interface ImportOptions extends ReadingChoices {
  /** The folder of the dataset. */
  contentDir: string;
  /** The time of the import, RFC 3339 in UTC with seconds. */
  now: string;
  /** The encoding of text files that are not Unicode. */
  encoding?: string | undefined;
  /** The language of texts too short to tell; `en` when left out. */
  language?: string | undefined;
  /** The meaning of "verified" on a platform that this program does not know. */
  verification?: string | undefined;
  /** Turns reviews that the export no longer has into tombstones. */
  withdraw?: boolean | undefined;
  dryRun?: boolean | undefined;
  onRow?: ((row: RowReport) => void) | undefined;
  onProgress?: ((progress: { file: string; bytes: number; rows: number }) => void) | undefined;
}

export type Outcome = 'added' | 'changed' | 'unchanged' | 'withdrawn' | 'vanished' | 'skipped';

export interface RowReport {
  /** `personal data` comes besides the outcome of its row. */
  outcome: Outcome | 'personal data';
  /** File and row, or the id of a review that the export does not have. */
  place: string;
  detail: string;
}

export interface FileReport {
  file: string;
  format: string;
  notes: string[];
  rows: number;
  /** The number of reviews on the platform, if the file tells. */
  platformTotal: number | undefined;
  sources: string[];
  /** The published reason why its reviews count as verified. */
  verification: string;
}

export interface ImportResult {
  files: FileReport[];
  /** Reviews by what became of them; skipped ones are rows. */
  counts: Record<Outcome, number>;
  /** Why rows were skipped, with the number of rows. */
  skipped: Record<string, number>;
  /** Counts of what was done to the rows that were taken. */
  cleaned: {
    strippedCharacters: number;
    translations: number;
    roundedRatings: number;
    anonymous: number;
    personalData: number;
    /** Reviews whose words a person had edited here, and the platform's newer ones replaced. */
    overwritten: number;
  };
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
  const known = await readKnown(options.contentDir);
  const store = new MergeStore(known.tombstones);
  try {
    const run = new ImportRun(options, known, store);
    await run.load();
    for (const file of files) await run.read(file);
    return await run.write();
  } finally {
    store.close();
  }
}

/** The rest of content/ that an import depends on. */
interface Known {
  authorDisplay: AuthorDisplay;
  tombstones: Tombstone[];
  imports: ImportRecord[];
}

/** A file that was read, with what only its provenance needs. */
interface ReadFile extends FileReport {
  sha256: string;
  /** True when the file says itself that the platform has more. */
  isPart: boolean;
  skipped: number;
}

const SAMPLE_ROWS = 200;
const STAGING = '.importing';

class ImportRun {
  readonly #options: ImportOptions;
  readonly #known: Known;
  readonly #store: MergeStore;
  readonly #files: ReadFile[] = [];
  readonly #counts: ImportResult['counts'] = {
    added: 0,
    changed: 0,
    unchanged: 0,
    withdrawn: 0,
    vanished: 0,
    skipped: 0,
  };
  readonly #skipped: ImportResult['skipped'] = {};
  readonly #cleaned: ImportResult['cleaned'] = {
    strippedCharacters: 0,
    translations: 0,
    roundedRatings: 0,
    anonymous: 0,
    personalData: 0,
    overwritten: 0,
  };

  constructor(options: ImportOptions, known: Known, store: MergeStore) {
    this.#options = options;
    this.#known = known;
    this.#store = store;
  }

  /** Reads the reviews of content/. @throws {ImportError} at a line that is broken */
  async load(): Promise<void> {
    const folder = join(this.#options.contentDir, 'reviews');
    for (const name of await namesIn(folder)) {
      if (!name.endsWith('.jsonl')) continue;
      const text = createReadStream(join(folder, name), 'utf8') as AsyncIterable<string>;
      let number = 0;
      for await (const line of linesOf(text)) {
        number++;
        if (line.trim() === '') continue;
        try {
          this.#store.addExisting(name, line.trimEnd(), JSON.parse(line) as ReviewRecord);
        } catch (error) {
          const reason = `${name}:${number}: cannot be read: ${(error as Error).message}`;
          throw new ImportError(`content/reviews/${reason}`, { cause: error });
        }
      }
    }
  }

  async read(path: string): Promise<void> {
    const file: ReadFile = {
      file: basename(path),
      format: '',
      notes: [],
      rows: 0,
      platformTotal: undefined,
      sources: [],
      verification: '',
      sha256: await sha256Of(path),
      isPart: false,
      skipped: 0,
    };
    const { encoding, onProgress } = this.#options;
    const report = (bytes: number) => onProgress?.({ file: path, bytes, rows: file.rows });
    for await (const table of tablesOf(path, { encoding, onProgress: report })) {
      await this.#readTable(table, file);
    }
    this.#files.push(file);
  }

  /** Merges what was read with content/, and writes it unless this is a dry run. */
  async write(): Promise<ImportResult> {
    const { contentDir, dryRun } = this.#options;
    this.#checkWithdrawal();
    const staged = new StagedFiles(contentDir);
    const buried: Tombstone[] = [];
    try {
      for (const file of this.#store.files()) {
        const before = this.#changes();
        await staged.write(`reviews/${file}`, this.#merged(file, buried));
        if (this.#changes() === before) staged.forget(`reviews/${file}`);
      }
      if (buried.length > 0) {
        await staged.write('withdrawn.jsonl', [...this.#known.tombstones, ...buried].map(asLine));
      }
      const records = this.#provenance();
      if (records.length > 0) {
        await staged.write('imports.jsonl', [...this.#known.imports, ...records].map(asLine));
      }
      const written = dryRun ? [] : await staged.replace();
      return {
        files: this.#files,
        counts: this.#counts,
        skipped: this.#skipped,
        cleaned: this.#cleaned,
        written,
      };
    } finally {
      await staged.clear();
    }
  }

  async #readTable(table: Table, file: ReadFile): Promise<void> {
    const rows = table.rows[Symbol.asyncIterator]();
    const first: NumberedRow[] = [];
    while (first.length < SAMPLE_ROWS) {
      const { value, done } = await rows.next();
      if (done) break;
      first.push(value);
    }
    if (first.length === 0) throw new ImportError(`${table.name}: has no reviews`);
    const samples = first.map(({ row }) => row);
    const reading = await chooseReading(table, samples, this.#options);
    file.format = `${table.kind}, ${reading.format.name}`;
    file.notes = [...new Set([...file.notes, ...reading.notes])];
    const occurrences = new Map<string, number>();
    const occurrence = (key: string): number => {
      const count = occurrences.get(key) ?? 0;
      occurrences.set(key, count + 1);
      return count;
    };
    const add = (row: NumberedRow) => {
      file.rows++;
      this.#readRow(table, row, reading, file, occurrence);
    };
    first.forEach(add);
    for (let next = await rows.next(); !next.done; next = await rows.next()) add(next.value);
    const total = table.head.totalReviewCount ?? table.head.total;
    if (typeof total === 'number') file.platformTotal = (file.platformTotal ?? 0) + total;
    const hasMore = table.head.nextPageToken !== undefined;
    file.isPart ||= hasMore || (file.platformTotal ?? 0) > file.rows;
  }

  #readRow(
    table: Table,
    { number, row }: NumberedRow,
    { format, fields, scale, dateOrder }: Reading,
    file: ReadFile,
    occurrence: (key: string) => number,
  ): void {
    const place = `${table.name}:${number}`;
    const skip = (reason: string): void => {
      file.skipped++;
      this.#skip(place, reason);
    };
    const draft = readDraft(row, { fields, scale, dateOrder });
    if ('reason' in draft) return skip(draft.reason);
    const source = slugOf(this.#options.source ?? draft.source ?? format.source ?? '');
    if (source === '') return skip('has no source');
    if (draft.date > this.#tomorrow()) return skip('is dated after today');
    file.verification ||= this.#verificationOf(format, source, table.name);
    const candidate = toCandidate(draft, {
      source,
      authorDisplay: this.#known.authorDisplay,
      verified: !(format.isHidden?.(row) ?? false),
      link: format.link,
      keepsIds: format === REVIEWS_DATASET,
      occurrence,
      detectLanguage: (text) => detectLanguage(text, this.#options.language ?? 'en'),
    });
    if ('reason' in candidate) return skip(candidate.reason);
    if (!file.sources.includes(source)) file.sources = [...file.sources, source].sort();
    const offered = this.#store.offer(candidate, place);
    if (offered === 'duplicate') return skip('is in the export twice');
    if (offered === 'withdrawn')
      return skip('was withdrawn; its line in withdrawn.jsonl keeps it out');
    const cleaned = this.#cleaned;
    cleaned.strippedCharacters += draft.stripped;
    cleaned.translations += Number(draft.translated);
    cleaned.roundedRatings += Number(draft.rounded);
    cleaned.anonymous += Number(draft.author === undefined);
    const kinds = personalDataIn([draft.title, draft.text, draft.reply?.text].join('\n'));
    if (kinds.length > 0) {
      cleaned.personalData++;
      this.#options.onRow?.({ outcome: 'personal data', place, detail: kinds.join(', ') });
    }
    return undefined;
  }

  #verificationOf(format: Format, source: string, table: string): string {
    const earlier = this.#known.imports.findLast(({ sources }) => sources.includes(source));
    const rule =
      this.#options.verification ??
      format.verification ??
      VERIFICATION[source] ??
      earlier?.verification;
    if (rule !== undefined) return rule;
    throw new ImportError(
      `${table}: say what made sure that a review on ${source} is real; the site publishes it:\n` +
        `--verification 'Only guests who stayed can write a review.'`,
    );
  }

  /** Yields the lines of one file, counting what happens to each review. */
  *#merged(file: string, buried: Tombstone[]): Generator<string> {
    const rules = { now: this.#options.now, authorDisplay: this.#known.authorDisplay };
    for (const { line, candidate, place } of this.#store.pairs(file)) {
      const existing = line === undefined ? undefined : (JSON.parse(line) as ReviewRecord);
      if (candidate === undefined) {
        if (!this.#isVanished(existing!)) this.#counts.unchanged++;
        else if (this.#options.withdraw) {
          this.#note('withdrawn', existing!.id, summaryOf(existing!));
          buried.push(this.#tombstoneOf(existing!));
          continue;
        } else this.#note('vanished', existing!.id, summaryOf(existing!));
        yield `${line}\n`;
        continue;
      }
      const merged = mergeRecord(existing, candidate, rules);
      if (merged.outcome === 'added' || merged.outcome === 'changed') {
        if (merged.wasEdited) this.#cleaned.overwritten++;
        const what = merged.fields.length > 0 ? merged.fields.join(', ') : summaryOf(merged.record);
        this.#note(merged.outcome, place, `${merged.record.id} ${what}`);
        yield `${toLine(merged.record)}\n`;
        continue;
      }
      if (merged.outcome === 'older') this.#skip(place, 'is older than the version in content/');
      else this.#counts.unchanged++;
      yield `${line}\n`;
    }
  }

  /** Only what an import wrote can vanish from an export. */
  #isVanished({ source, source_digest: digest }: ReviewRecord): boolean {
    return (
      digest !== undefined &&
      this.#files.every(({ isPart }) => !isPart) &&
      this.#files.some(({ sources }) => sources.includes(source))
    );
  }

  #checkWithdrawal(): void {
    const part = this.#files.find(({ isPart }) => isPart);
    if (!this.#options.withdraw || !part) return;
    throw new ImportError(
      `${part.file}: the platform has more reviews than the ${part.rows} of this file, ` +
        'so it cannot tell which were withdrawn: use --withdraw with a full export only',
    );
  }

  #tombstoneOf({ id, date, source, source_id }: ReviewRecord): Tombstone {
    return {
      id,
      date,
      source,
      ...(source_id !== undefined && { source_id }),
      withdrawn_at: this.#options.now,
      reason: 'no longer in a full export',
    };
  }

  #provenance(): ImportRecord[] {
    const { added, changed, withdrawn } = this.#counts;
    const hashes = new Set(this.#known.imports.map(({ sha256 }) => sha256));
    return this.#files
      .filter(({ sha256 }) => this.#changes() > 0 || !hashes.has(sha256))
      .map(({ file, sha256, format, sources, rows, skipped, platformTotal, verification }) => ({
        imported_at: this.#options.now,
        file,
        sha256,
        format,
        sources,
        rows,
        added,
        changed,
        withdrawn,
        skipped,
        ...(platformTotal !== undefined && { platform_total: platformTotal }),
        verification,
      }));
  }

  #note(outcome: Exclude<Outcome, 'skipped'>, place: string, detail: string): void {
    this.#counts[outcome]++;
    this.#options.onRow?.({ outcome, place, detail });
  }

  #skip(place: string, reason: string): void {
    this.#counts.skipped++;
    const kind = reason.replaceAll(/"[^"]*"/g, '…');
    this.#skipped[kind] = (this.#skipped[kind] ?? 0) + 1;
    this.#options.onRow?.({ outcome: 'skipped', place, detail: reason });
  }

  #changes(): number {
    return this.#counts.added + this.#counts.changed + this.#counts.withdrawn;
  }

  /** The day may have begun elsewhere. */
  #tomorrow(): string {
    return new Date(Date.parse(this.#options.now) + 86_400_000).toISOString().slice(0, 10);
  }
}

/** Files written into a hidden folder of the dataset, and moved into place all at the end. */
class StagedFiles {
  readonly #folder: string;
  readonly #names = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async write(name: string, lines: Iterable<string>): Promise<void> {
    const path = this.#temporary(name);
    await mkdir(dirname(path), { recursive: true });
    this.#names.add(name);
    await pipeline(Readable.from(lines), createWriteStream(path));
  }

  forget(name: string): void {
    this.#names.delete(name);
  }

  /** Puts the files in place; one without a line removes the file of its name. */
  async replace(): Promise<string[]> {
    const names = [...this.#names];
    for (const name of names) {
      const final = join(this.#folder, name);
      await mkdir(dirname(final), { recursive: true });
      if ((await stat(this.#temporary(name))).size > 0) await rename(this.#temporary(name), final);
      else await rm(final, { force: true });
    }
    return names;
  }

  /** Removes what is still there, also of an import that was killed. */
  async clear(): Promise<void> {
    await rm(join(this.#folder, STAGING), { recursive: true, force: true });
  }

  #temporary(name: string): string {
    return join(this.#folder, STAGING, name);
  }
}

async function readKnown(contentDir: string): Promise<Known> {
  const business = await readIfThere(join(contentDir, 'business.json'));
  const display = business && (JSON.parse(business) as { author_display?: unknown }).author_display;
  return {
    authorDisplay: businessRecord.shape.author_display.parse(display),
    tombstones: await readLines(join(contentDir, 'withdrawn.jsonl'), tombstone),
    imports: await readLines(join(contentDir, 'imports.jsonl'), importRecord),
  };
}

async function readLines<T>(path: string, schema: { parse(value: unknown): T }): Promise<T[]> {
  const text = (await readIfThere(path)) ?? '';
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      try {
        return schema.parse(JSON.parse(line));
      } catch (error) {
        throw new ImportError(`${path}:${index + 1}: cannot be read`, { cause: error });
      }
    });
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function asLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function summaryOf({ date, rating, source }: ReviewRecord): string {
  return `${date}, ${rating} of 5 on ${source}`;
}
