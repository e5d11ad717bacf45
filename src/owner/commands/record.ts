import { resolve } from 'node:path';
import { readContent } from '../../content/read-content.ts';
import { fileOf, readDatasetFiles } from '../dataset-files.ts';
import { JournalWriter, randomSalt } from '../journal-writer.ts';
import { lockDataset } from '../locked-dataset.ts';
import { vanishedOf, describeChanges } from '../../journal/comparison.ts';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { WITHDRAWAL_REASONS, type WithdrawalReason } from '../../schema/journal.ts';
import { pastedId } from '../../schema/primitives.ts';
import type { Tombstone } from '../../schema/provenance.ts';

/** Nobody gives `unverified` as a reason, because a record states it by itself. */
const { unverified: _, ...REASONS } = WITHDRAWAL_REASONS;

const USAGE = `usage: npm run reviews -- record [options]
       npm run reviews -- record --restore ID…
  --withdraw REASON  withdraws the reviews whose lines were deleted:
${Object.entries(REASONS)
  .map(([code, meaning]) => `                     ${code.padEnd(18)} ${meaning}`)
  .join('\n')}
  --restore          lets the next import bring these withdrawn reviews back
  --dry-run          report, and write nothing`;

const SHOWN_IDS = 5;

/**
 * Records edits by hand in the journal of content/, or of the folder that CONTENT_DIR names. The
 * first time, it records every review.
 */
export const record: Command = async (args, print) => {
  const { restore, withdraw, 'dry-run': dryRun, ids } = parse(args);
  const contentDir = resolve(process.env.CONTENT_DIR || 'content');
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  using dataset = lockDataset(contentDir);
  const { reviews, withdrawn, restored, journal } = await readContent(contentDir, {
    today: now.slice(0, 10),
  });
  const writer = new JournalWriter(journal.chain, now, dataset);
  // The salt makes the hashes of a review tell nothing once it is erased.
  const unsalted = reviews.filter(({ id, salt }) => !salt && !journal.chain.stateOf(id));
  const salts = new Map(unsalted.map(({ id }) => [id, randomSalt()]));
  for (const review of reviews)
    writer.record({ ...review, salt: salts.get(review.id) ?? review.salt });
  if (salts.size > 0) {
    // Lines stay as they were typed.
    const lines = (await readDatasetFiles(contentDir)).reviews.map(({ file, text, value }) => {
      const salt = salts.get(value.id);
      return { file, text: salt ? text.replace(/\}$/, `,"salt":"${salt}"}`) : text };
    });
    const files = Map.groupBy(lines, ({ file }) => file);
    for (const [file, written] of files) dataset.replace(file, fileOf(written));
  }
  for (const tombstone of withdrawn) writer.bury(tombstone);
  const vanished = vanishedOf(journal.chain, reviews, withdrawn);
  for (const tombstone of tombstones(vanished, withdraw, now)) {
    writer.withdraw(tombstone);
  }
  if (restore) {
    dataset.replace('withdrawn.jsonl', restoredFrom([...restored, ...withdrawn], ids, now));
    print(`Restored ${ids.join(', ')}: import the reviews again, or put their lines back from git`);
  }
  const changes = describeChanges(writer.changes);
  if (changes === '' && !restore) return print('Nothing to record: the journal is up to date.');
  const { seq, hash } = writer.head;
  if (changes !== '') print(`${changes}; the head of the journal is ${seq}:${hash}`);
  if (dryRun) return print('Nothing was written: this was a dry run.');
  print(`Wrote ${dataset.commit().join(', ')}`);
};

function parse(args: readonly string[]) {
  const { positionals, values } = parseOptions(args, OPTIONS, USAGE);
  const ids = positionals.map(pastedId);
  const isReason = values.withdraw === undefined || Object.hasOwn(REASONS, values.withdraw);
  const isComplete = values.restore
    ? ids.length > 0 && values.withdraw === undefined
    : ids.length === 0;
  if (isReason && isComplete) return { ...values, ids };
  throw new UsageError(USAGE);
}

const OPTIONS = {
  allowPositionals: true,
  options: {
    restore: { type: 'boolean', default: false },
    withdraw: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
  },
} as const;

/** Returns `withdrawn.jsonl` with these tombstones restored. @throws if one of them does not exist */
function restoredFrom(
  withdrawn: readonly Tombstone[],
  ids: readonly string[],
  now: string,
): string {
  const unknown = ids.filter((id) => withdrawn.every((tombstone) => tombstone.id !== id));
  if (unknown.length > 0) {
    throw new Error(`${unknown.join(', ')}: no line of withdrawn.jsonl has this id`);
  }
  const lines = withdrawn.map((each) =>
    ids.includes(each.id) ? { ...each, restored_at: each.restored_at ?? now } : each,
  );
  return fileOf(lines.map((tombstone) => ({ text: JSON.stringify(tombstone) })));
}

/** @throws if lines are gone and nobody said why: they may have been lost */
function tombstones(
  vanished: readonly { id: string; date: string }[],
  reason: string | undefined,
  now: string,
): Tombstone[] {
  if (vanished.length > 0 && reason === undefined) {
    const ids = vanished.slice(0, SHOWN_IDS).map(({ id }) => id);
    const more = vanished.length > SHOWN_IDS ? ', …' : '';
    throw new Error(
      `reviews in the journal without a line (${vanished.length}): ${ids.join(', ')}${more}. ` +
        `Put the lines back, or say --withdraw with a reason: ${Object.keys(REASONS).join(', ')}`,
    );
  }
  const code = reason as WithdrawalReason;
  return vanished.map(({ id, date }) => ({ id, date, withdrawn_at: now, reason: code }));
}
