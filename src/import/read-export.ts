import { basename } from 'node:path';
import type { ImportRecord } from '../schema/provenance.ts';
import { slugOf } from '../schema/primitives.ts';
import type { AuthorDisplay } from './author.ts';
import { readDraft, type NumberedRow } from './draft.ts';
import { VERIFICATION } from './formats.ts';
import type { Format } from './known-formats.ts';
import { detectLanguage } from './language.ts';
import type { MergeStore } from './merge-store.ts';
import { personalDataIn, type OwnContacts } from './personal-data.ts';
import {
  chooseReading,
  ImportError,
  VERIFICATION_FLAG,
  type Reading,
  type ReadingChoices,
} from './choose-reading.ts';
import { toCandidate } from './candidate.ts';
import { sha256Of, tablesOf, type Table } from './tables.ts';
import type { ImportTally } from './import-tally.ts';

export interface ExportOptions extends ReadingChoices {
  /** The time of the import, RFC 3339 in UTC with seconds. */
  now: string;
  /** The encoding of text files that are not Unicode. */
  encoding?: string | undefined;
  /** The language of texts too short to tell; `en` when left out. */
  language?: string | undefined;
  /** True when the files have only what is new on the platform. */
  isPart?: boolean | undefined;
  onProgress?: ((progress: { file: string; bytes: number; rows: number }) => void) | undefined;
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

/** A file that was read, with what only its provenance needs. */
export interface ReadFile extends FileReport {
  sha256: string;
  /** True when the platform has more reviews than the file. */
  isPart: boolean;
  skipped: number;
}

/** The parts of content/ that reading an export depends on. */
export interface KnownRules {
  authorDisplay: AuthorDisplay;
  /** Contacts of the business, which replies may name. */
  own: OwnContacts;
  imports: readonly ImportRecord[];
}

const SAMPLE_ROWS = 200;

/** Reads export files into a store, row by row. */
export class ExportReader {
  readonly #options: ExportOptions;
  readonly #known: KnownRules;
  readonly #store: MergeStore;
  readonly #tally: ImportTally;
  readonly #tomorrow: string;

  constructor(options: ExportOptions, known: KnownRules, store: MergeStore, tally: ImportTally) {
    this.#options = options;
    this.#known = known;
    this.#store = store;
    this.#tally = tally;
    // The day may have begun elsewhere.
    const tomorrow = new Date(Date.parse(options.now) + 86_400_000);
    this.#tomorrow = tomorrow.toISOString().slice(0, 10);
  }

  /** @throws {ImportError} where the person who imports must decide something */
  async read(path: string): Promise<ReadFile> {
    const { encoding, onProgress, isPart = false } = this.#options;
    const file: ReadFile = {
      file: basename(path),
      format: '',
      notes: [],
      rows: 0,
      platformTotal: undefined,
      sources: [],
      verification: '',
      sha256: await sha256Of(path),
      isPart,
      skipped: 0,
    };
    const report = (bytes: number) => onProgress?.({ file: path, bytes, rows: file.rows });
    for await (const table of tablesOf(path, { encoding, onProgress: report })) {
      await this.#readTable(table, file);
    }
    return file;
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
    const reading = await chooseReading(table, samples, {
      ...this.#options,
      isVerified: (source) => this.#ruleOf(slugOf(source)) !== undefined,
    });
    file.format = `${table.kind}, ${reading.format.name}`;
    file.notes = [...new Set([...file.notes, ...reading.notes])];
    const add = (row: NumberedRow) => {
      file.rows++;
      const reason = this.#readRow(table, row, reading, file);
      if (reason === undefined) return;
      file.skipped++;
      this.#tally.skip(`${table.name}:${row.number}`, reason);
    };
    first.forEach(add);
    for (let next = await rows.next(); !next.done; next = await rows.next()) add(next.value);
    const total =
      table.head.totalReviewCount ?? table.head['pagination.totalResults'] ?? table.head.total;
    if (typeof total === 'number') file.platformTotal = (file.platformTotal ?? 0) + total;
    const hasMore = table.head.nextPageToken !== undefined;
    file.isPart ||= hasMore || (file.platformTotal ?? 0) > file.rows;
  }

  /** Offers the review of a row to the store. @returns the reason why it was skipped, if it was */
  #readRow(
    table: Table,
    { number, row }: NumberedRow,
    { format, fields, scale, dateOrder }: Reading,
    file: ReadFile,
  ): string | undefined {
    const draft = readDraft(row, { ...format, fields, scale, dateOrder });
    if ('reason' in draft) return draft.reason;
    const source = slugOf(this.#options.source ?? draft.source ?? format.source ?? '');
    if (source === '') return 'has no source';
    if (draft.date > this.#tomorrow) return 'is dated after today';
    file.verification ||= this.#verificationOf(format, source, table.name);
    const candidate = toCandidate(draft, {
      source,
      authorDisplay: this.#known.authorDisplay,
      verified: !(format.isHidden?.(row) ?? false),
      link: format.link,
      keepsIds: format.isOwn ?? false,
      occurrence: (key) => this.#store.countBefore(table.name, key),
      detectLanguage: (text) => detectLanguage(text, this.#options.language ?? 'en'),
    });
    if ('reason' in candidate) return candidate.reason;
    if (!file.sources.includes(source)) file.sources = [...file.sources, source].sort();
    const place = `${table.name}:${number}`;
    const offered = this.#store.offer(candidate, place);
    if (offered === 'duplicate') return 'is in the export twice';
    if (offered === 'withdrawn') return 'was withdrawn; its line in withdrawn.jsonl keeps it out';
    const { cleaned } = this.#tally;
    cleaned.strippedCharacters += draft.stripped;
    cleaned.translations += Number(draft.translated);
    cleaned.roundedRatings += Number(draft.rounded);
    cleaned.anonymous += Number(draft.author === undefined);
    const hiddenName = candidate.record.author === draft.author ? undefined : draft.author;
    const words = [draft.title, draft.text, draft.reply?.text].join('\n');
    const kinds = personalDataIn(words, hiddenName, this.#known.own);
    if (kinds.length > 0) this.#tally.personalData(place, kinds);
    return undefined;
  }

  #ruleOf(source: string): string | undefined {
    const earlier = this.#known.imports.findLast(({ sources }) => sources.includes(source));
    const known = Object.hasOwn(VERIFICATION, source) ? VERIFICATION[source] : undefined;
    return known ?? earlier?.verification;
  }

  #verificationOf(format: Format, source: string, table: string): string {
    const rule = this.#options.verification ?? format.verification ?? this.#ruleOf(source);
    if (rule !== undefined) return rule;
    throw new ImportError(
      `${table}: say what made sure that a review on ${source} is real; the site publishes it:\n` +
        VERIFICATION_FLAG,
    );
  }
}
