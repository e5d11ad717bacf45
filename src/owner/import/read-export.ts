import { shiftDay } from '../../dataset/since.ts';
import type { ImportRecord } from '../../schema/provenance.ts';
import type { AuthorDisplay } from './author.ts';
import { toCandidate, type Candidate } from './candidate.ts';
import {
  confirmGuess,
  warningsOf,
  type Accept,
  type ReadRows,
  type Rejected,
} from './confirm-guess.ts';
import { chooseReading, ImportError, rankOf, type ReadingChoices } from './choose-reading.ts';
import { readDraft, type Draft, type Reading } from './draft.ts';
import { platformNamed } from './formats.ts';
import { listReasons } from './import-tally.ts';
import { readTables, type ExportFile, type Table } from './tables.ts';
import { rulesOf, VERIFICATION_FLAG } from './verification-rules.ts';

export interface ExportOptions extends ReadingChoices {
  /** The time of the import, RFC 3339 in UTC with seconds. */
  now: string;
  /** The encoding of text files that are not Unicode. */
  encoding?: string | undefined;
  /** The language of texts too short to tell; `en` when left out. */
  language?: string | undefined;
  /** The meaning of "verified" on platforms without a rule. */
  verification?: string | undefined;
  /** Asks whether a guessed mapping is right. */
  accept?: Accept | undefined;
}

/** A file that was read: what is recorded of it, and more. */
export interface ReadFile extends Omit<
  ImportRecord,
  'imported_at' | 'added' | 'changed' | 'withdrawn'
> {
  notes: string[];
  /** Rows to correct and import again, with the reason. */
  rejected: Rejected[];
  /** The reason why the platform has more reviews than were looked at; undefined if it may not. */
  part?: string | undefined;
}

/** The parts of content/ that reading an export depends on. */
export interface KnownRules {
  authorDisplay: AuthorDisplay;
  imports: readonly ImportRecord[];
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

/**
 * Reads an export file.
 *
 * @throws {ImportError} where the person who imports must decide something
 */
export async function readExport(
  given: ExportFile,
  options: ExportOptions,
  known: KnownRules,
): Promise<ReadFile & { candidates: Candidate[] }> {
  const { encoding } = options;
  const { tables, sha256 } = await readTables(given, { encoding, rank: rankOf(options) });
  const file: ReadFile & { candidates: Candidate[] } = {
    file: given.name,
    format: '',
    notes: [],
    rows: 0,
    sources: [],
    verification: '',
    rejected: [],
    sha256,
    skipped: 0,
    candidates: [],
  };
  // A business without reviews at one of its places still has an archive.
  const filled = tables.filter(({ rows }) => rows.length > 0);
  if (filled.length === 0) throw new ImportError(`${file.file}: has no reviews`);
  let ofFormat: string | undefined;
  for (const table of filled) {
    const reading = chooseReading(table, options);
    const read = readRows(table, reading, options, known);
    const warnings = await check(read, options);
    file.candidates = file.candidates.concat(read.candidates);
    describe(file, read, warnings);
    ofFormat = reading.verification;
  }
  file.verification = rulesOf(file, ofFormat, options.verification, known.imports);
  return file;
}

/**
 * Returns sentences for the owner about unusual findings.
 *
 * @throws {ImportError} where no row can be imported, or a guess is not accepted
 */
async function check(read: ReadRows, options: ExportOptions): Promise<string[]> {
  const { candidates, reading, rejected, table } = read;
  if (candidates.length === 0) throw new ImportError(noneOf(table.name, rejected));
  const warnings = warningsOf(read);
  const said = options.source && platformNamed(options.source);
  if (said && candidates.some(({ record }) => record.source !== said)) {
    warnings.push(
      `the column ${reading.fields.source} names the platform: --source is for rows without one`,
    );
  }
  if (reading.isGuess) await confirmGuess(read, warnings, options.accept);
  return warnings;
}

/** Adds a table to what is known of its file. */
function describe(
  file: ReadFile,
  { table, reading, candidates, rejected }: ReadRows,
  warnings: readonly string[],
): void {
  const sources = candidates.map(({ record }) => record.source);
  file.sources = [...new Set([...file.sources, ...sources])].sort();
  file.format = `${table.kind}, ${reading.name}`;
  const notes = [...table.notes, ...(reading.note ? [reading.note] : []), ...warnings];
  const { scale = 5, scales = { '': scale } } = reading;
  for (const [platform, best] of Object.entries(scales)) {
    if (best === 5) continue;
    const where = platform === '' ? '' : ` on ${platform}`;
    notes.push(`ratings${where} are out of ${best} and became stars, rounded`);
  }
  file.notes = [...new Set([...file.notes, ...notes])];
  file.rows += table.rows.length;
  file.rejected.push(...rejected);
  file.skipped += rejected.length;
  const total = TOTALS.map((name) => table.head[name]).find((value) => typeof value === 'number');
  if (total !== undefined) file.platform_total = (file.platform_total ?? 0) + total;
  file.part ??= partOf(file, table, reading);
}

/** Returns the reason why a file does not have all reviews of its platform, if it tells one. */
function partOf(
  { platform_total: total = 0, rows }: ReadFile,
  table: Table,
  reading: Reading,
): string | undefined {
  const hasMore = NEXT_PAGES.some((name) => typeof table.head[name] === 'string');
  const reasons: Record<string, boolean> = {
    'such a file has only some of the reviews': reading.isPart === true,
    'it has corrected rows only': table.isCorrected,
    'it is one page of several': hasMore,
    [`the platform has ${total} reviews, and it has ${rows}`]: total > rows,
  };
  return Object.keys(reasons).find((reason) => reasons[reason]);
}

/** Makes candidates of the rows that can be published. */
function readRows(
  table: Table,
  reading: Reading,
  options: ExportOptions,
  { authorDisplay }: KnownRules,
): ReadRows {
  const platform = options.source ?? reading.source ?? '';
  const rules = {
    authorDisplay,
    format: reading,
    language: options.language ?? 'en',
    occurrences: new Map<string, number>(),
    tomorrow: shiftDay(options.now.slice(0, 10), 1), // the day may have begun elsewhere
  };
  const read: ReadRows = { table, reading, candidates: [], rejected: [] };
  for (const { number, row, cut } of table.rows) {
    const place = `${table.name}:${number}`;
    const draft = cut ? { reason: cut } : readDraft(row, reading);
    const found =
      'reason' in draft ? draft : toCandidate(draft, { ...rules, place, source: sourceOf(draft) });
    if ('reason' in found) read.rejected.push({ place, row, reason: found.reason });
    else read.candidates.push(found);
  }
  return read;

  /** @throws {ImportError} where neither the file nor the person says it */
  function sourceOf(draft: Draft): string {
    // A column that names the platform of each review is not overruled for all of them at once.
    const source = platformNamed(draft.record.source ?? platform);
    if (source !== '' || reading.fields.source !== undefined) return source;
    throw new ImportError(
      `${table.name}: does not say which platform its reviews were written on: say it with ` +
        `--source PLATFORM\nOn a platform that this program does not know, also say what made ` +
        `sure that its reviews are real; the site publishes it: ${VERIFICATION_FLAG}`,
    );
  }
}

function noneOf(name: string, rejected: readonly Rejected[]): string {
  const reasons = listReasons(rejected.map(({ reason }) => reason));
  return `${name}: none of its ${rejected.length} rows can be imported: ${reasons}`;
}
