import type { ReviewsDataset } from '../schema/dataset.ts';
import type { JournalDocument, JournalEntry, JournalHead } from '../schema/journal.ts';
import { Chain } from './chain.ts';
import { recordHash } from './hash.ts';

/**
 * Checks published changes against their head, against the reviews they claim to lead to, and
 * against heads that were saved earlier: then nothing was removed and nothing rewritten since.
 *
 * @param changes oldest first
 * @returns a sentence for each difference
 */
export function verifyJournal(
  journal: JournalDocument,
  changes: readonly JournalEntry[],
  dataset: ReviewsDataset,
  saved: readonly JournalHead[] = [],
): string[] {
  const chain = new Chain();
  for (const change of changes) {
    const issue = chain.add(change);
    if (issue) return [`change ${change.seq}: ${issue.field}: ${issue.reason}`];
  }
  return [
    ...headIssues(chain, journal),
    ...saved.flatMap((head) => savedIssues(chain, head)),
    ...(journal.complete ? recordIssues(chain, dataset) : []),
  ];
}

function headIssues({ head }: Chain, { seq, hash, count }: JournalDocument): string[] {
  if (head.seq === seq && head.hash === hash && count === seq) return [];
  return [
    `journal.json: says ${seq}:${hash} of ${count}, its changes end at ${head.seq}:${head.hash}`,
  ];
}

function savedIssues(chain: Chain, { seq, hash }: JournalHead): string[] {
  const { seq: last } = chain.head;
  if (seq === 0) return [];
  if (seq > last) return [`changes were removed: ${seq} was the head, now ${last} is`];
  if (chain.hashOf(seq) === hash) return [];
  return [`history was rewritten: change ${seq} had the hash ${hash}, now ${chain.hashOf(seq)}`];
}

function* recordIssues(chain: Chain, { reviews }: ReviewsDataset): Generator<string> {
  const published = new Set<string>();
  for (const review of reviews) {
    published.add(review.id);
    const after = chain.stateOf(review.id)?.after;
    if (!after) yield `reviews.${review.id}: no change tells of it`;
    else if (after !== recordHash(review))
      yield `reviews.${review.id}: differs from its last change`;
  }
  for (const { id } of chain.live()) {
    if (!published.has(id))
      yield `reviews.${id}: is missing, and no change says that it is withdrawn`;
  }
}
