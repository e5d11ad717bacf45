import type { Candidate } from './candidate.ts';
import { personalDataIn, type OwnContacts } from './personal-data.ts';
import { REMARKS, type Remark } from './remarks.ts';

const OUTCOMES = ['added', 'changed', 'unchanged', 'withdrawn', 'vanished', 'skipped'] as const;
type ReviewOutcome = (typeof OUTCOMES)[number];

/** A row has these besides its outcome. */
export const FINDINGS = ['personal data', 'same words'] as const;

interface RowReport {
  outcome: ReviewOutcome | (typeof FINDINGS)[number];
  /** File and row, or the id of a review that the export does not have. */
  place: string;
  detail: string;
}

/** Counts reasons, each without the value that it quotes. */
export function countReasons(reasons: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reason of reasons) {
    const kind = reason.replaceAll(/"(?:[^"\\]|\\.)*"/g, '…');
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** Lists reasons in a sentence, each with its number. */
export function listReasons(reasons: readonly string[]): string {
  return Object.entries(countReasons(reasons))
    .map(([reason, count]) => `${reason} (${count})`)
    .join('; ');
}

/** Notes on what becomes of the rows and reviews of an import. */
export class ImportTally {
  readonly rows: RowReport[] = [];
  readonly cleaned = Object.fromEntries(
    Object.keys(REMARKS).map((remark) => [remark, 0]),
  ) as Record<Remark, number>;

  note(outcome: RowReport['outcome'], place: string, detail = ''): void {
    this.rows.push({ outcome, place, detail });
  }

  /** Returns the number of reviews by what became of them; skipped ones are rows. */
  counts(): Record<ReviewOutcome, number> {
    const groups = Map.groupBy(this.rows, ({ outcome }) => outcome);
    const counts = OUTCOMES.map((outcome) => [outcome, groups.get(outcome)?.length ?? 0]);
    return Object.fromEntries(counts) as Record<ReviewOutcome, number>;
  }

  /** @param own contacts of the business itself, which are no personal data */
  take({ record, author, remarks, place }: Candidate, own: OwnContacts): void {
    for (const [remark, count] of Object.entries(remarks)) this.cleaned[remark as Remark] += count;
    this.cleaned.heldBack += Number(record.held_back ?? false);
    this.cleaned.unverified += Number(!record.verified && !record.held_back);
    this.cleaned.anonymous += Number(author === undefined);
    const hiddenName = record.author === author ? undefined : author;
    const words = [record.title, record.text, record.owner_reply?.text].join('\n');
    const kinds = personalDataIn(words, hiddenName, own);
    if (kinds.length === 0) return;
    this.cleaned.personalData++;
    this.note('personal data', place, kinds.join(', '));
  }
}
