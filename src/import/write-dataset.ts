import type { ImportRecord, Tombstone } from '../schema/provenance.ts';
import type { ReviewRecord } from '../schema/review.ts';
import { JournalWriter } from './journal-writer.ts';
import { mergeRecord, toLine } from './merge.ts';
import type { MergeStore } from './merge-store.ts';
import type { KnownRules, ReadFile } from './read-export.ts';
import { ImportError } from './reading.ts';
import { StagedFiles } from './staged-files.ts';
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

export interface Merge extends WriteOptions {
  files: readonly ReadFile[];
  known: KnownRules & { tombstones: readonly Tombstone[] };
  store: MergeStore;
  tally: ImportTally;
}

/**
 * Merges what was read with content/, and writes it unless this is a dry run.
 *
 * @returns the names of the files that were written, inside the content folder
 * @throws {ImportError} when reviews shall be withdrawn and the files cannot tell which
 */
export async function writeDataset(merge: Merge): Promise<string[]> {
  const { contentDir, dryRun, known, store, tally } = merge;
  checkWithdrawal(merge);
  const staged = new StagedFiles(contentDir);
  const journal = await JournalWriter.open(contentDir, merge.now);
  const buried: Tombstone[] = [];
  for (const file of store.files()) {
    const before = tally.changes;
    await staged.write(`reviews/${file}`, journal.watch(mergedLines(merge, file, buried)));
    if (tally.changes === before) staged.forget(`reviews/${file}`);
    await journal.stage(staged);
  }
  if (buried.length > 0) {
    await staged.write('withdrawn.jsonl', [...known.tombstones, ...buried].map(asLine));
  }
  const records = provenanceOf(merge);
  if (records.length > 0) {
    await staged.write('imports.jsonl', [...known.imports, ...records].map(asLine));
  }
  journal.bury([...known.tombstones, ...buried]);
  await journal.stage(staged); // last, so that it never tells of what is not there yet
  return dryRun ? [] : await staged.replace();
}

/** Yields the lines of one file, counting what happens to each review. */
function* mergedLines(merge: Merge, file: string, buried: Tombstone[]): Generator<string> {
  const { known, now, store, tally, withdraw } = merge;
  const rules = { now, authorDisplay: known.authorDisplay };
  for (const { line, candidate, place } of store.pairs(file)) {
    const existing = line === undefined ? undefined : (JSON.parse(line) as ReviewRecord);
    if (candidate === undefined) {
      if (!isVanished(existing!, merge.files)) tally.unchanged();
      else {
        tally.note(withdraw ? 'withdrawn' : 'vanished', existing!.id, summaryOf(existing!));
        if (withdraw) {
          buried.push(tombstoneOf(existing!, now));
          continue;
        }
      }
      yield `${line}\n`;
      continue;
    }
    const merged = mergeRecord(existing, candidate, rules);
    if (merged.outcome === 'added' || merged.outcome === 'changed') {
      if (merged.wasEdited) tally.cleaned.overwritten++;
      const what = merged.fields.length > 0 ? merged.fields.join(', ') : summaryOf(merged.record);
      tally.note(merged.outcome, place, `${merged.record.id} ${what}`);
      yield `${toLine(merged.record)}\n`;
      continue;
    }
    if (merged.outcome === 'older') tally.skip(place, 'is older than the version in content/');
    else tally.unchanged();
    yield `${line}\n`;
  }
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

function tombstoneOf({ id, date, source, source_id }: ReviewRecord, now: string): Tombstone {
  return {
    id,
    date,
    source,
    ...(source_id !== undefined && { source_id }),
    withdrawn_at: now,
    reason: 'gone-from-platform',
  };
}

function provenanceOf({ files, known, now, tally, isRoutine }: Merge): ImportRecord[] {
  const { added, changed, withdrawn } = tally.counts;
  const isRecorded = ({ file, sha256 }: ReadFile) =>
    known.imports.some((record) => (isRoutine ? record.file === file : record.sha256 === sha256));
  return files
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

function asLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function summaryOf({ date, rating, source }: ReviewRecord): string {
  return `${date}, ${rating} of 5 on ${source}`;
}
