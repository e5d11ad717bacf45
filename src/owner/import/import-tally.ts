import type { Candidate } from './candidate.ts';
import type { Cleaned } from './draft.ts';
import { personalDataIn, type OwnContacts } from './personal-data.ts';

type ReviewOutcome = 'added' | 'changed' | 'unchanged' | 'withdrawn' | 'vanished' | 'skipped';

export interface RowReport {
  /** `personal data` comes besides the outcome of its row. */
  outcome: ReviewOutcome | 'personal data';
  /** File and row, or the id of a review that the export does not have. */
  place: string;
  detail: string;
}

/** Returns a reason without the value that it quotes. */
export function unquoted(reason: string): string {
  return reason.replaceAll(/"(?:[^"\\]|\\.)*"/g, '…');
}

/** Counts what happens to the rows and reviews of an import, and reports each if asked to. */
export class ImportTally {
  /** Reviews by what became of them; skipped ones are rows. */
  readonly counts: Record<ReviewOutcome, number> = {
    added: 0,
    changed: 0,
    unchanged: 0,
    withdrawn: 0,
    vanished: 0,
    skipped: 0,
  };
  /** Why rows were skipped, with the number of rows. */
  readonly skipped: Record<string, number> = {};
  /** Counts of what was done to the rows that were taken. */
  readonly cleaned = {
    strippedCharacters: 0,
    translations: 0,
    roundedRatings: 0,
    monthsOnly: 0,
    hiddenReplies: 0,
    undatedReplies: 0,
    media: 0,
    /** Reviews that their platform does not show. */
    heldBack: 0,
    /** Reviews that the export calls unverified. */
    unverified: 0,
    anonymous: 0,
    personalData: 0,
    /** Reviews whose words a person had edited here, and the platform's newer ones replaced. */
    overwritten: 0,
  };
  readonly #onRow: ((row: RowReport) => void) | undefined;

  constructor(onRow?: (row: RowReport) => void) {
    this.#onRow = onRow;
  }

  /** The number of reviews that are not as they were. */
  get changes(): number {
    return this.counts.added + this.counts.changed + this.counts.withdrawn;
  }

  unchanged(): void {
    this.counts.unchanged++;
  }

  note(outcome: 'added' | 'changed' | 'withdrawn' | 'vanished', place: string, detail: string) {
    this.counts[outcome]++;
    this.#onRow?.({ outcome, place, detail });
  }

  /** @param own contacts of the business itself, which are no personal data */
  take({ record, author, cleaned, place }: Candidate, own: OwnContacts): void {
    for (const [what, count] of Object.entries(cleaned)) {
      this.cleaned[what as keyof Cleaned] += count;
    }
    this.cleaned.heldBack += Number(record.held_back ?? false);
    this.cleaned.unverified += Number(!record.verified && !record.held_back);
    this.cleaned.anonymous += Number(author === undefined);
    const hiddenName = record.author === author ? undefined : author;
    const words = [record.title, record.text, record.owner_reply?.text].join('\n');
    const kinds = personalDataIn(words, hiddenName, own);
    if (kinds.length === 0) return;
    this.cleaned.personalData++;
    this.#onRow?.({ outcome: 'personal data', place, detail: kinds.join(', ') });
  }

  skip(place: string, reason: string): void {
    this.counts.skipped++;
    const kind = unquoted(reason);
    this.skipped[kind] = (this.skipped[kind] ?? 0) + 1;
    this.#onRow?.({ outcome: 'skipped', place, detail: reason });
  }
}
