import { shiftDay } from '../../base/days.ts';
import type { ImportAnswers } from '../../schema/import-answers.ts';
import type { ImportRecord } from '../../schema/provenance.ts';
import type { AuthorDisplay } from './author.ts';
import { toCandidate, type Candidate } from './candidate.ts';
import {
  confirmGuess,
  refuseMasked,
  refuseOneDate,
  type Accept,
  type ReadRows,
  type Rejected,
} from './confirm-guess.ts';
import { columnAccount, type RowAccount } from './account.ts';
import { withAnswer, withEarlier, withSaved, type Answers } from './answers.ts';
import { chooseReading } from './choose-reading.ts';
import { cleanRows } from './clean-rows.ts';
import { ImportError, Question } from './import-error.ts';
import { readDraft, type Draft, type Reading } from './draft.ts';
import { platformNamed } from './platform-name.ts';
import { countReasons } from './import-tally.ts';
import { rankBy } from './rank.ts';
import { columnsOf, meets } from './rows.ts';
import type { ExportFile, Table } from './table.ts';
import { readTables } from './tables.ts';
import { ownReplies } from './own-replies.ts';
import { rulesOf, VERIFICATION_FLAG } from './verification-rules.ts';

export interface ExportOptions extends Answers {
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
  /** Asks a person at a terminal; undefined without an answer. */
  ask?: ((question: Question) => Promise<string | undefined>) | undefined;
  /** True for an import that is repeated all the time: only the first without changes is recorded. */
  isRoutine?: boolean | undefined;
  /** True to read what is asked about in the widest sense, and to note the questions. */
  explain?: boolean | undefined;
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
  rowAccount: RowAccount;
  /** Lines about the columns of each table. */
  columns: string[];
}

/** The parts of content/ that reading an export depends on. */
export interface KnownRules {
  authorDisplay: AuthorDisplay;
  /** The name of the business. */
  business: string;
  imports: readonly ImportRecord[];
  answers: ImportAnswers;
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
): Promise<ReadFile & { candidates: Candidate[]; answers: ImportAnswers }> {
  const { encoding } = options;
  const { tables, sha256 } = await readTables(given, { encoding, rank: rankBy(options.map) });
  const file: Awaited<ReturnType<typeof readExport>> = {
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
    answers: known.answers,
    columns: [],
    rowAccount: {
      published: 0,
      'held back': 0,
      unverified: 0,
      skipped: 0,
      double: 0,
      'not of this business': 0,
    },
  };
  // A business without reviews at one of its places still has an archive.
  const filled = tables.filter(({ rows }) => rows.length > 0);
  if (filled.length === 0)
    throw new ImportError(`${file.file}: has no reviews below the names of its columns`);
  let ofFormat: string | undefined;
  /** Answers that only a person has; an error says all of them. */
  const open: string[] = [];
  for (const filledTable of filled) {
    const { rows: answered, others } = ownReplies(filledTable.rows, known.business);
    const { rows, notes: cleaned } = cleanRows(answered);
    const notes = [...filledTable.notes, ...cleaned];
    if (others > 0) notes.push(`replies by others than the business, left out: ${others}`);
    const table = { ...filledTable, rows, notes };
    const asked = { ...known, answers: file.answers };
    const { reading, answers } = await readingOf(table, options, asked, open);
    const given = { ...options, ...answers };
    const read = await unlessOpen(open, async () => {
      const read = readRows(table, reading, given, known);
      return { ...read, warnings: await check(read, given) };
    });
    if (!read) continue;
    file.candidates = file.candidates.concat(read.candidates);
    describe(file, read, read.warnings);
    file.answers = withSaved(
      file.answers,
      rows.map(({ row }) => row),
      reading,
      answers,
    );
    ofFormat = reading.verification;
  }
  await unlessOpen(open, async () => {
    file.verification = rulesOf(file, ofFormat, options.verification, known.imports);
  });
  if (open.length > 0) throw new ImportError(open.join('\n'));
  return file;
}

/** Runs a step, and notes what a person must tell for it. */
async function unlessOpen<T>(open: string[], step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    open.push(error.message);
    return undefined;
  }
}

/**
 * Decides how a table is read, and asks what only a person can know.
 *
 * @param open takes what nobody answered; the table is then read in the widest sense
 * @returns with the reading all answers that led to it
 */
async function readingOf(
  table: Table,
  options: ExportOptions,
  { answers: earlier, business }: KnownRules,
  open: string[],
): Promise<{ reading: Reading; answers: Answers }> {
  const { source, map, scale, worst, dateOrder, place, states } = options;
  const columns = columnsOf(table.rows.map(({ row }) => row));
  const given = { source, map, scale, worst, dateOrder, place, states };
  let answers = withEarlier(given, earlier, columns);
  if (answers !== given)
    table.notes.push('with the answers that import.json keeps of such a table');
  for (;;) {
    try {
      return { reading: chooseReading(table, answers, business), answers };
    } catch (error) {
      if (!(error instanceof Question)) throw error;
      if (options.explain) table.notes.push(`asks: ${error.message}`);
      const answer = options.explain ? error.widest : await options.ask?.(error);
      if (answer === undefined) open.push(error.message);
      answers = withAnswer(answers, error.option, answer ?? error.widest);
    }
  }
}

/**
 * Returns sentences for the owner about unusual findings.
 *
 * @throws {ImportError} where no row can be imported, or a guess is not accepted
 */
async function check(read: ReadRows, options: ExportOptions): Promise<string[]> {
  const { candidates, reading } = read;
  if (candidates.length === 0) throw new ImportError(noneOf(read));
  refuseMasked(read);
  const warnings: string[] = [];
  const said = options.source && platformNamed(options.source);
  if (said && candidates.some(({ record }) => record.source !== said)) {
    warnings.push(
      `the column ${reading.fields.source} names the platform: --source is for rows without one`,
    );
  }
  if (reading.isGuess) await confirmGuess(read, warnings, options.accept);
  else if (!options.isRoutine && !options.map?.date) refuseOneDate(read);
  return warnings;
}

/** Adds a table to what is known of its file. */
function describe(
  file: ReadFile,
  { table, reading, candidates, rejected, others }: ReadRows,
  warnings: readonly string[],
): void {
  const sources = candidates.map(({ record }) => record.source);
  file.sources = [...new Set([...file.sources, ...sources])].sort();
  file.format = `${table.kind}, ${reading.name}`;
  const unread = table.unread.map(({ what, rows }) =>
    rows === 0 ? `not read: ${what}` : `not read: ${what}; its rows: ${rows}`,
  );
  const notes = [...table.notes, ...unread, ...(reading.note ? [reading.note] : []), ...warnings];
  for (const [platform, { best }] of reading.scales) {
    if (best === 5) continue;
    const where = platform === '' ? '' : ` on ${platform}`;
    notes.push(`ratings${where} are out of ${best} and became stars, rounded`);
  }
  file.notes = [...new Set([...file.notes, ...notes])];
  file.rows += table.rows.length;
  file.rejected.push(...rejected);
  file.skipped += rejected.length;
  file.columns.push(...columnAccount(table, reading));
  file.rowAccount.skipped += rejected.length;
  file.rowAccount['not of this business'] += others;
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
  const [unread] = table.unread;
  const reasons: Record<string, boolean> = {
    'such a file has only some of the reviews': reading.isPart === true,
    'it has corrected rows only': table.isCorrected,
    'it is one page of several': hasMore,
    [`${unread?.what} was not read`]: unread !== undefined,
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
  const platform = platformNamed(options.source ?? reading.source ?? '');
  const rules = {
    authorDisplay,
    format: reading,
    language: options.language ?? 'en',
    occurrences: new Map<string, number>(),
    tomorrow: shiftDay(options.now.slice(0, 10), 1), // the day may have begun elsewhere
  };
  const read: ReadRows = { table, reading, candidates: [], rejected: [], others: 0 };
  for (const { number, row, cut, sheet } of table.rows) {
    const place = `${table.name}${sheet === undefined ? '' : `/${sheet}`}:${number}`;
    if (!cut && !meets(row, reading.ours)) {
      read.others++;
      continue;
    }
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
    const { source: stated } = draft.record;
    const source = stated === undefined ? platform : platformNamed(stated);
    if (source !== '' || reading.fields.source !== undefined) return source;
    throw new ImportError(
      `${table.name}: does not say which platform its reviews were written on: say it with ` +
        `--source PLATFORM\nOn a platform that this program does not know, also say what made ` +
        `sure that its reviews are real; the site publishes it: ${VERIFICATION_FLAG}`,
    );
  }
}

function noneOf({ table, reading, rejected, others }: ReadRows): string {
  const kinds = Map.groupBy(rejected, ({ reason }) => Object.keys(countReasons([reason]))[0]);
  const reasons = [...kinds.values()].map((group) => `${group[0]!.reason} (${group.length})`);
  if (others > 0) reasons.push(`${others} are not of this business`);
  const { date, recommended = [], rating = recommended } = reading.fields;
  const columns = `Ratings are in ${rating.join(' or ')}, dates in ${date?.join(' or ')}.`;
  const hint = /has \d+ of/.test(reasons.join())
    ? ' Put quotation marks around texts with the separator.'
    : '';
  return `${table.name}: none of its ${table.rows.length} rows can be imported: ${reasons.join('; ')}\n${columns}${hint}`;
}
