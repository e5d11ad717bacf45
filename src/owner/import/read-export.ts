import { hash } from 'node:crypto';
import { shiftDay } from '../../base/days.ts';
import type { ImportAnswers } from '../../schema/import-answers.ts';
import type { ImportRecord } from '../../schema/provenance.ts';
import type { AuthorDisplay } from './author.ts';
import { toCandidate, type Candidate } from './candidate.ts';
import { confirmGuess, refuseMasked, refuseOneDate, type Accept } from './confirm-guess.ts';
import { accountOf, type ReadRows, type Rejected, type RowAccount } from './account.ts';
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
  const { name: file } = given;
  const { encoding } = options;
  const sha256 = hash('sha256', given.bytes);
  const tables = await readTables(given, { encoding, rank: rankBy(options.map) });
  // A business without reviews at one of its places still has an archive.
  const filled = tables.filter(({ rows }) => rows.length > 0);
  if (filled.length === 0)
    throw new ImportError(`${file}: has no reviews below the names of its columns`);
  /** Answers that only a person has; an error says all of them. */
  const open: string[] = [];
  const reads: ReadRows[] = [];
  let { answers } = known;
  for (const each of filled) {
    const table = cleanTable(each, known.business);
    const decided = await readingOf(table, options, { ...known, answers }, open);
    const { reading } = decided;
    const read = await unlessOpen(open, async () => {
      const own = { ...options, ...decided.answers };
      const found = readRows(table, reading, own, known);
      await check(found, own);
      return found;
    });
    if (!read) continue;
    reads.push(read);
    const rows = table.rows.map(({ row }) => row);
    answers = withSaved(answers, rows, reading, decided.answers);
  }
  const account = accountOf(reads);
  const ofFormat = reads.at(-1)?.reading.verification;
  const verification = await unlessOpen(open, async () =>
    rulesOf({ file, ...account }, ofFormat, options.verification, known.imports),
  );
  if (open.length > 0) throw new ImportError(open.join('\n'));
  const candidates = reads.flatMap((read) => read.candidates);
  return { file, sha256, ...account, verification: verification!, candidates, answers };
}

/** Returns a table with the replies of the business, as a person would have typed it. */
function cleanTable(table: Table, business: string): Table {
  const { rows: answered, others } = ownReplies(table.rows, business);
  const { rows, notes } = cleanRows(answered);
  const left = others > 0 ? [`replies by others than the business, left out: ${others}`] : [];
  return { ...table, rows, notes: [...table.notes, ...notes, ...left] };
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

/** @throws {ImportError} where no row can be imported, or a guess is not accepted */
async function check(read: ReadRows, options: ExportOptions): Promise<void> {
  const { candidates, notes, reading } = read;
  if (candidates.length === 0) throw new ImportError(noneOf(read));
  refuseMasked(read);
  const said = options.source && platformNamed(options.source);
  if (said && candidates.some(({ record }) => record.source !== said)) {
    notes.push(
      `the column ${reading.fields.source} names the platform: --source is for rows without one`,
    );
  }
  if (reading.isGuess) await confirmGuess(read, options.accept);
  else if (!options.isRoutine && !options.map?.date) refuseOneDate(read);
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
  const read: ReadRows = {
    table,
    reading,
    candidates: [],
    rejected: [],
    others: 0,
    notes: [],
  };
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
