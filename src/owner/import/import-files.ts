import type { ImportRecord } from '../../schema/provenance.ts';
import type { ReviewRecord } from '../../schema/review.ts';
import { fileOf, readDatasetFiles } from '../dataset-files.ts';
import { JournalWriter, randomSalt, tombstoneOf } from '../journal-writer.ts';
import { lockDataset } from '../locked-dataset.ts';
import { equalTexts } from '../same-words.ts';
import type { RowAccount } from './account.ts';
import { countReasons, ImportTally } from './import-tally.ts';
import { namedIn, MergeStore, type MatchedPair } from './merge-store.ts';
import { mergeRecord, toLine } from './merge.ts';
import { readExport, type ExportOptions, type KnownRules, type ReadFile } from './read-export.ts';
import type { ExportFile } from './table.ts';
import { readExportFile } from './tables.ts';
import { checkIsFull, checkNumber, missingFrom, type MissingReviews } from './withdrawal.ts';

export interface ImportOptions extends ExportOptions {
  contentDir: string;
  /** Turns reviews that the export no longer has into tombstones: a few, or exactly this number. */
  withdraw?: boolean | number | undefined;
  dryRun?: boolean | undefined;
  /** Makes the salt of a new review; random if left out. */
  salt?: (() => string) | undefined;
}

export type ImportResult = Awaited<ReturnType<typeof importFiles>>;

/**
 * Imports exports, or the files at some paths, into a content folder. Nothing is written before
 * everything is read, and each file is replaced as a whole. Importing the same files again changes nothing.
 *
 * @returns what became of files, rows and reviews, why rows were skipped with the number of rows, and
 *   the names of the files that were written, inside the content folder
 * @throws {ImportError} where the person who imports must decide something
 */
export async function importFiles(given: readonly (string | ExportFile)[], options: ImportOptions) {
  const { contentDir, dryRun, now } = options;
  using dataset = lockDataset(contentDir);
  const {
    answers: before,
    business,
    chain,
    imports,
    reviews,
    withdrawn,
  } = await readDatasetFiles(contentDir);
  const known = {
    authorDisplay: business.author_display,
    business: business.name,
    imports,
    answers: before,
  };
  // A text too short to tell is in the language of the pages.
  const settings = { ...options, language: options.language ?? business.language?.split('-')[0] };
  const store = new MergeStore(reviews, withdrawn, imports);
  const tally = new ImportTally();
  const files: ReadFile[] = [];
  for (const file of given) {
    const read = typeof file === 'string' ? readExportFile(file) : file;
    const { candidates, answers, ...report } = await readExport(read, settings, known);
    known.answers = answers;
    for (const { place, reason } of report.rejected) tally.note('skipped', place, reason);
    const named = namedIn(withdrawn.length === 0 ? [] : candidates);
    for (const offered of candidates) {
      const { outcome, candidate } = store.offer(offered, named);
      report.rowAccount[fateOf(outcome, candidate.record)]++;
      if (outcome === 'taken') tally.take(candidate, business);
      else {
        report.skipped++;
        tally.note('skipped', candidate.place, NOT_TAKEN[outcome]);
      }
    }
    files.push(report);
  }
  const isWithdrawing = options.withdraw !== undefined && options.withdraw !== false;
  if (isWithdrawing) checkIsFull(files);
  const isFull = files.every(({ part }) => part === undefined);
  const byFile = store.files(isFull, options.salt ?? randomSalt);
  const pairs = [...byFile.values()].flat();
  noteSameWords(pairs, tally);
  const missing = missingFrom(pairs, files, options.isRoutine === true);
  if (isWithdrawing) {
    checkNumber(missing, typeof options.withdraw === 'number' ? options.withdraw : undefined);
  }

  const journal = new JournalWriter(chain, now, dataset);
  const merge = { ...known, isWithdrawing, missing, now, tally };
  for (const [file, pairs] of byFile) {
    const merged = pairs.map((pair) => ({ ...pair, ...mergePair(merge, pair) }));
    for (const { record, text } of merged) {
      if (text !== undefined) journal.record(record);
      else journal.withdraw(tombstoneOf(record, now, 'gone-from-platform'));
    }
    if (merged.some(({ known, text }) => known?.text !== text)) {
      dataset.replace(file, fileOf(merged.flatMap(({ text }) => (text ? [{ text }] : []))));
    }
  }
  for (const tombstone of withdrawn) journal.bury(tombstone);
  for (const record of provenanceOf(files, known, options, tally)) {
    dataset.append('imports.jsonl', JSON.stringify(record));
  }
  if (known.answers !== before) {
    dataset.replace('import.json', `${JSON.stringify(known.answers, null, 2)}\n`);
  }
  const { cleaned, rows } = tally;
  const reasons = rows.filter(({ outcome }) => outcome === 'skipped').map(({ detail }) => detail);
  const written = dryRun ? [] : dataset.commit();
  const skipped = countReasons(reasons);
  return { files, rows, cleaned, counts: tally.counts(), missing, skipped, written };
}

function fateOf(
  offered: ReturnType<MergeStore['offer']>['outcome'],
  { verified, held_back: isHeldBack }: ReviewRecord,
): keyof RowAccount {
  if (offered !== 'taken') return offered === 'duplicate' ? 'double' : 'skipped';
  if (isHeldBack) return 'held back';
  return verified ? 'published' : 'unverified';
}

const NOT_TAKEN = {
  duplicate: 'is in the export twice',
  withdrawn: 'was withdrawn; its line in withdrawn.jsonl keeps it out',
  doubtful:
    'may be a review of its day that was withdrawn, under another id; `record --restore` lets it in',
};

/** Notes new reviews that have the words of another one, which a person may have written on two platforms. */
function noteSameWords(pairs: readonly MatchedPair[], tally: ImportTally): void {
  const isNew = new Map(
    pairs.flatMap(({ known, candidate }) =>
      known || !candidate ? [] : [[candidate.record.id, candidate.place]],
    ),
  );
  const records = pairs.map(({ known, candidate }) => candidate?.record ?? known!.value);
  records.sort((a, b) => Number(isNew.has(a.id)) - Number(isNew.has(b.id)));
  for (const [first, ...others] of equalTexts(records)) {
    const { id, source, date } = first!;
    for (const other of others) {
      const place = isNew.get(other.id);
      if (place === undefined) continue;
      tally.cleaned.sameWords++;
      const where = isNew.get(id) ?? id;
      tally.note('same words', place, `as ${where} (${source}, ${date}): perhaps of one person`);
    }
  }
}

interface Merge extends KnownRules {
  isWithdrawing: boolean;
  missing: MissingReviews;
  now: string;
  tally: ImportTally;
}

/** Merges one review and notes the outcome. @returns it with its line, unless it is withdrawn */
function mergePair(
  { authorDisplay, isWithdrawing, missing, now, tally }: Merge,
  { known, candidate }: MatchedPair,
): { record: ReviewRecord; text?: string | undefined } {
  if (!candidate) {
    const { value: record, text } = known!;
    const isMissing = missing.ids.has(record.id);
    const isWithdrawn = isMissing && isWithdrawing;
    if (isWithdrawn) tally.note('withdrawn', record.id, summaryOf(record));
    else if (isMissing) tally.note('vanished', record.id, summaryOf(record));
    else tally.note('unchanged', record.id);
    return { record, text: isWithdrawn ? undefined : text };
  }
  const { place } = candidate;
  const merged = mergeRecord(known?.value, candidate, { now, authorDisplay });
  if (merged.outcome === 'added' || merged.outcome === 'changed') {
    const { fields, outcome, record, wasEdited } = merged;
    if (wasEdited) tally.cleaned.overwritten++;
    const what = fields.length > 0 ? fields.join(', ') : summaryOf(record);
    tally.note(outcome, place, `${record.id} ${what}`);
    return { record, text: toLine(record) };
  }
  if (merged.outcome === 'unchanged') tally.note('unchanged', place);
  else tally.note('skipped', place, 'is older than the version in content/');
  return { record: known!.value, text: known!.text };
}

function provenanceOf(
  files: readonly ReadFile[],
  { imports }: KnownRules,
  { now, isRoutine }: ImportOptions,
  tally: ImportTally,
): ImportRecord[] {
  const { added, changed, withdrawn } = tally.counts();
  const isRecorded = ({ file, sha256 }: ReadFile) =>
    imports.some((record) => (isRoutine ? record.file === file : record.sha256 === sha256));
  return files
    .filter(({ sources }) => sources.length > 0) // otherwise it brought nothing
    .filter((file) => added + changed + withdrawn > 0 || !isRecorded(file))
    .map((file) => {
      const { notes: _, rejected: __, part: ___, rowAccount: ____, columns: _____, ...read } = file;
      return { imported_at: now, ...read, added, changed, withdrawn };
    });
}

function summaryOf({ date, rating, source }: ReviewRecord): string {
  return `${date}, ${rating} of 5 on ${source}`;
}
