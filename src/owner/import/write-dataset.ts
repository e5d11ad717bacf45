import type { ImportRecord } from '../../schema/provenance.ts';
import type { ReviewRecord } from '../../schema/review.ts';
import { readTombstones } from '../dataset-files.ts';
import { JournalWriter, readChain, tombstoneOf } from '../journal-writer.ts';
import { mergeRecord, toLine } from './merge.ts';
import type { MergeStore, MatchedPair } from './merge-store.ts';
import type { KnownRules, ReadFile } from './read-export.ts';
import { ImportError } from './choose-reading.ts';
import type { LockedDataset } from '../locked-dataset.ts';
import type { ImportTally } from './import-tally.ts';

export interface WriteOptions {
  /** The folder of the dataset. */
  contentDir: string;
  /** The time of the import, RFC 3339 in UTC with seconds. */
  now: string;
  /** Turns reviews that the export no longer has into tombstones. */
  withdraw?: boolean | undefined;
  dryRun?: boolean | undefined;
  /** True for an import that is repeated all the time: only the first without changes is recorded. */
  isRoutine?: boolean | undefined;
}

interface Merge extends WriteOptions {
  files: readonly ReadFile[];
  known: KnownRules;
  store: MergeStore;
  tally: ImportTally;
}

/**
 * Merges what was read with content/, and writes it unless this is a dry run.
 *
 * @returns the names of the files that were written, inside the content folder
 * @throws {ImportError} when reviews shall be withdrawn and the files cannot tell which
 */
export function writeDataset(dataset: LockedDataset, merge: Merge): string[] {
  const { contentDir, dryRun, now, store, tally } = merge;
  checkWithdrawal(merge);
  const journal = new JournalWriter(readChain(contentDir), now, dataset);
  const isFull = merge.files.every(({ isPart }) => !isPart);
  for (const [file, pairs] of store.files(isFull)) {
    const before = tally.changes;
    let lines = '';
    for (const pair of pairs) {
      const { record, line } = mergePair(merge, pair);
      if (line === undefined) {
        if (!pair.isBuried) journal.withdraw(tombstoneOf(record, now, 'gone-from-platform'));
        continue;
      }
      lines += `${line}\n`;
      journal.record(record);
    }
    if (tally.changes > before) dataset.replace(`reviews/${file}`, lines);
  }
  for (const { value } of readTombstones(contentDir)) journal.bury(value);
  for (const record of provenanceOf(merge)) {
    dataset.append('imports.jsonl', JSON.stringify(record));
  }
  return dryRun ? [] : dataset.commit();
}

/** A review after the merge; without a line it is withdrawn. */
interface MergedLine {
  record: ReviewRecord;
  line: string | undefined;
}

/** Merges one review and counts the outcome. */
function mergePair(merge: Merge, { line, incoming, isBuried }: MatchedPair): MergedLine {
  const { known, now, tally, withdraw } = merge;
  const existing = line === undefined ? undefined : (JSON.parse(line) as ReviewRecord);
  if (!incoming) {
    const unchanged = { record: existing!, line };
    if (isBuried) {
      tally.note('withdrawn', existing!.id, summaryOf(existing!));
      return { record: existing!, line: undefined };
    }
    if (!isVanished(existing!, merge.files)) {
      tally.unchanged();
      return unchanged;
    }
    tally.note(withdraw ? 'withdrawn' : 'vanished', existing!.id, summaryOf(existing!));
    return withdraw ? { record: existing!, line: undefined } : unchanged;
  }
  const { candidate } = incoming;
  const { place } = candidate;
  const merged = mergeRecord(existing, candidate, { now, authorDisplay: known.authorDisplay });
  if (merged.outcome === 'added' || merged.outcome === 'changed') {
    const { fields, outcome, record, wasEdited } = merged;
    if (wasEdited) tally.cleaned.overwritten++;
    const what = fields.length > 0 ? fields.join(', ') : summaryOf(record);
    tally.note(outcome, place, `${record.id} ${what}`);
    return { record, line: toLine(record) };
  }
  if (merged.outcome === 'older') tally.skip(place, 'is older than the version in content/');
  else tally.unchanged();
  return { record: existing!, line };
}

/** Tells whether a full export no longer has a review; only what was imported can be missing. */
function isVanished(
  { source, source_digest: digest }: ReviewRecord,
  files: readonly ReadFile[],
): boolean {
  return (
    digest !== undefined &&
    files.every(({ isPart }) => !isPart) &&
    files.some(({ sources }) => sources.includes(source))
  );
}

function checkWithdrawal({ files, withdraw }: Merge): void {
  const part = files.find(({ isPart }) => isPart);
  if (!withdraw || !part) return;
  throw new ImportError(
    `${part.file}: the platform has more reviews than the ${part.rows} of this file, ` +
      'so it cannot tell which were withdrawn: use --withdraw with a full export only',
  );
}

function provenanceOf({ files, known, now, tally, isRoutine }: Merge): ImportRecord[] {
  const { added, changed, withdrawn } = tally.counts;
  const isRecorded = ({ file, sha256 }: ReadFile) =>
    known.imports.some((record) => (isRoutine ? record.file === file : record.sha256 === sha256));
  return files
    .filter(({ sources }) => sources.length > 0) // otherwise it brought nothing
    .filter((file) => tally.changes > 0 || !isRecorded(file))
    .map(({ file, sha256, format, sources, rows, skipped, platformTotal, verification }) => ({
      imported_at: now,
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

function summaryOf({ date, rating, source }: ReviewRecord): string {
  return `${date}, ${rating} of 5 on ${source}`;
}
