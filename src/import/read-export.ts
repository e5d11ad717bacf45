import { basename } from 'node:path';
import type { ImportRecord } from '../schema/provenance.ts';
import { slugOf } from '../schema/primitives.ts';
import type { AuthorDisplay } from './author.ts';
import { toCandidate, type Candidate } from './candidate.ts';
import { checkReading } from './check-reading.ts';
import {
  confirmGuess,
  countReasons,
  type Preview,
  type ReadRow,
  type Rejected,
} from './confirm-guess.ts';
import {
  chooseReading,
  ImportError,
  rankOf,
  type Reading,
  type ReadingChoices,
} from './choose-reading.ts';
import { readDraft, type Draft } from './draft.ts';
import { platformOf } from './formats.ts';
import type { ImportTally } from './import-tally.ts';
import { detectLanguage } from './language.ts';
import { personalDataIn, type OwnContacts } from './personal-data.ts';
import { columnsOf, valueAt } from './rows.ts';
import { readTables, type Table } from './tables.ts';
import { rulesOf, VERIFICATION_FLAG, type StatedRules } from './verification-rules.ts';

export interface ExportOptions extends ReadingChoices, StatedRules {
  /** The time of the import, RFC 3339 in UTC with seconds. */
  now: string;
  /** The encoding of text files that are not Unicode. */
  encoding?: string | undefined;
  /** The language of texts too short to tell; `en` when left out. */
  language?: string | undefined;
  /** True when the files have only what is new on the platform. */
  isPart?: boolean | undefined;
  /** Asks whether a guessed mapping is right. */
  accept?: ((guess: Preview) => Promise<boolean>) | undefined;
}

export interface FileReport {
  file: string;
  format: string;
  notes: string[];
  rows: number;
  /** The number of reviews on the platform, if the file tells. */
  platformTotal: number | undefined;
  sources: string[];
  /** The published reason why its reviews count as verified; by platform if there are several. */
  verification: ImportRecord['verification'];
  /** Rows to correct and import again, with the reason. */
  rejected: Pick<Rejected, 'row' | 'reason'>[];
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
  imports: readonly ImportRecord[];
  /** Contacts of the business itself, which are no personal data. */
  own: OwnContacts;
}

/** Takes the reviews that are read. */
export interface CandidateStore {
  offer(candidate: Candidate, place: string): 'taken' | 'duplicate' | 'withdrawn';
  /** Returns how many rows of a table with this key came before. */
  countBefore(table: string, key: string): number;
}

/** Names that documents have for the number of all reviews, and for the page after theirs. */
const TOTALS = [
  'totalReviewCount',
  'totalResults',
  'reviews_count',
  'user_ratings_total',
  'userRatingCount',
  'total',
];
const NEXT_PAGES = ['nextPageToken', 'next_page_token'];

/** Reads export files, and offers their reviews to a store. */
export class ExportReader {
  readonly #options: ExportOptions;
  readonly #known: KnownRules;
  readonly #store: CandidateStore;
  readonly #tally: ImportTally;
  readonly #tomorrow: string;

  constructor(
    options: ExportOptions,
    known: KnownRules,
    store: CandidateStore,
    tally: ImportTally,
  ) {
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
    const { encoding, isPart = false } = this.#options;
    const { tables, sha256 } = await readTables(path, { encoding, rank: rankOf(this.#options) });
    const file: ReadFile = {
      file: basename(path),
      format: '',
      notes: [],
      rows: 0,
      platformTotal: undefined,
      sources: [],
      verification: '',
      rejected: [],
      sha256,
      isPart,
      skipped: 0,
    };
    // A business without reviews at one of its places still has an archive.
    const filled = tables.filter(({ rows }) => rows.length > 0);
    if (filled.length === 0) throw new ImportError(`${file.file}: has no reviews`);
    let ofFormat: string | undefined;
    for (const table of filled) ofFormat = await this.#readTable(table, file);
    file.verification = rulesOf(file, ofFormat, this.#options, this.#known.imports);
    return file;
  }

  /** @returns what its format states that "verified" means */
  async #readTable(table: Table, file: ReadFile): Promise<string | undefined> {
    const reading = chooseReading(table, this.#options);
    const { read, rejected } = this.#readRows(table, reading);
    if (read.length === 0) throw new ImportError(noneOf(table.name, rejected));
    const { refusals, warnings } = checkReading(
      read.map(({ draft }) => draft),
      reading,
    );
    if (reading.isGuess) {
      await confirmGuess(
        { table, reading, read, rejected, refusals, warnings },
        this.#options.accept,
      );
    }
    const found = read.map(({ candidate }) => candidate.record.source);
    file.sources = [...new Set([...file.sources, ...found])].sort();
    file.format = `${table.kind}, ${reading.name}`;
    const notes = [...table.notes, ...(reading.note ? [reading.note] : []), ...warnings];
    if (reading.scale !== 5) notes.push(`ratings out of ${reading.scale} became stars, rounded`);
    file.notes = [...new Set([...file.notes, ...notes])];
    file.rows += table.rows.length;
    this.#reject(file, rejected);
    for (const row of read) this.#offer(row, file);
    const total = TOTALS.map((name) => table.head[name]).find((value) => typeof value === 'number');
    if (total !== undefined) file.platformTotal = (file.platformTotal ?? 0) + (total as number);
    const hasMore = NEXT_PAGES.some((name) => typeof table.head[name] === 'string');
    file.isPart ||= hasMore || table.isCorrected || reading.isPart === true;
    file.isPart ||= (file.platformTotal ?? 0) > file.rows;
    return reading.verification;
  }

  /** Makes candidates of the rows that can be published. */
  #readRows(table: Table, reading: Reading): { read: ReadRow[]; rejected: Rejected[] } {
    const read: ReadRow[] = [];
    const rejected: Rejected[] = [];
    const platform = this.#options.source ?? reading.source ?? platformIn(table, reading);
    for (const { number, row } of table.rows) {
      const place = `${table.name}:${number}`;
      const draft = readDraft(row, reading);
      const candidate =
        'reason' in draft ? draft : this.#candidateOf(draft, reading, table, platform);
      if ('reason' in candidate) rejected.push({ place, row, reason: candidate.reason });
      else read.push({ place, draft: draft as Draft, candidate });
    }
    return { read, rejected };
  }

  #candidateOf(
    draft: Draft,
    reading: Reading,
    { name }: Table,
    platform: string | undefined,
  ): Candidate | { reason: string } {
    const source = slugOf(this.#options.source ?? draft.source ?? platform ?? '');
    if (source === '' && reading.fields.source === undefined) {
      throw new ImportError(
        `${name}: does not say which platform its reviews were written on: say it with ` +
          `--source PLATFORM\nOn a platform that this program does not know, also say what made ` +
          `sure that its reviews are real; the site publishes it: ${VERIFICATION_FLAG}`,
      );
    }
    if (source === '') return { reason: 'has no source' };
    if (draft.date > this.#tomorrow) return { reason: 'is dated after today' };
    return toCandidate(draft, {
      source,
      authorDisplay: this.#known.authorDisplay,
      link: reading.link,
      keepsIds: reading.isOwn ?? false,
      occurrence: (key) => this.#store.countBefore(name, key),
      detectLanguage: (text) => detectLanguage(text, this.#options.language ?? 'en'),
    });
  }

  #reject(file: ReadFile, rejected: readonly Rejected[]): void {
    file.skipped += rejected.length;
    for (const { place, row, reason } of rejected) {
      file.rejected.push({ row, reason });
      this.#tally.skip(place, reason);
    }
  }

  #offer({ place, draft, candidate }: ReadRow, file: ReadFile): void {
    const offered = this.#store.offer(candidate, place);
    if (offered !== 'taken') {
      file.skipped++;
      this.#tally.skip(
        place,
        offered === 'duplicate'
          ? 'is in the export twice'
          : 'was withdrawn; its line in withdrawn.jsonl keeps it out',
      );
      return;
    }
    this.#tally.clean({
      ...draft.cleaned,
      anonymous: Number(draft.author === undefined),
      heldBack: Number(draft.isHeldBack),
    });
    const hiddenName = candidate.record.author === draft.author ? undefined : draft.author;
    const words = [draft.title, draft.text, draft.reply?.text].join('\n');
    const kinds = personalDataIn(words, hiddenName, this.#known.own);
    if (kinds.length > 0) this.#tally.personalData(place, kinds);
  }
}

/** Returns the platform that the links of every row lead to, if it is one that is known. */
function platformIn({ rows }: Table, { fields }: Reading): string | undefined {
  const given = rows.map(({ row }) => row);
  const platforms = (fields.url ?? columnsOf(given)).flatMap((column) => {
    const found = new Set(given.map((row) => platformOf(String(valueAt(row, column)))));
    return found.size === 1 ? [...found] : [];
  });
  const known = new Set(platforms.filter((platform) => platform !== undefined));
  return known.size === 1 ? [...known][0] : undefined;
}

function noneOf(name: string, rejected: readonly Rejected[]): string {
  const reasons = Object.entries(countReasons(rejected)).map(
    ([reason, count]) => `${count} ${reason}`,
  );
  return `${name}: none of its ${rejected.length} rows can be imported: ${reasons.join('; ')}`;
}
