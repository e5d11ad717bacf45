import type { ImportRecord, Tombstone } from '../../schema/provenance.ts';
import type { ReviewRecord } from '../../schema/review.ts';
import type { PlacedReview } from '../../content/read-reviews.ts';
import { isDisplayOf } from './author.ts';
import { isNamed, salted, type Candidate } from './candidate.ts';
import { Lookalikes } from './lookalikes.ts';
import { newerOf, uncut } from './merge.ts';

/** A review of content/, a candidate, or both. */
export interface MatchedPair {
  known?: PlacedReview;
  candidate?: Candidate | undefined;
}

/** Matches imported reviews with those of content/. */
export class MergeStore {
  /** Withdrawn reviews by their id, and by the one of their platform. */
  readonly #withdrawn = new Set<string>();
  readonly #withdrawnOn = new Map<string, Tombstone[]>();
  readonly #pairs = new Map<string, MatchedPair>();
  /** Ids by the platform's id. */
  readonly #idBySourceId = new Map<string, string>();
  readonly #lookalikes = new Lookalikes();

  constructor(
    reviews: readonly PlacedReview[],
    withdrawn: readonly Tombstone[],
    imports: readonly ImportRecord[],
  ) {
    for (const tombstone of withdrawn) {
      this.#withdrawn.add(tombstone.id);
      if (tombstone.source_id !== undefined) this.#withdrawn.add(sourceKey(tombstone));
      const day = dayOf(tombstone);
      this.#withdrawnOn.set(day, [...(this.#withdrawnOn.get(day) ?? []), tombstone]);
    }
    const tools = toolsBySource(imports);
    for (const known of reviews) {
      const { id, source, source_id: sourceId } = known.value;
      this.#pairs.set(id, { known });
      const [tool, ...others] = tools.get(source) ?? [];
      this.#lookalikes.addKnown(known.value, others.length === 0 ? tool : undefined);
      const key = sourceKey(known.value);
      if (sourceId !== undefined && !this.#idBySourceId.has(key)) this.#idBySourceId.set(key, id);
    }
  }

  /**
   * Takes a candidate, unless it was withdrawn; of two versions of one review the newer stays. A new one of
   * the day of a review that was withdrawn may be that one, which another tool names otherwise.
   *
   * @param named the platform's ids in the file, see {@link namedIn}
   * @returns with what became of it the candidate as it is taken: with the whole text of a cut one, and
   *   held back as before if its file does not tell
   */
  offer(
    candidate: Candidate,
    named: ReadonlySet<string>,
  ): {
    outcome: 'taken' | 'duplicate' | 'withdrawn' | 'doubtful';
    candidate: Candidate;
  } {
    const { record } = candidate;
    if (this.#withdrawn.has(record.id) || this.#withdrawn.has(sourceKey(record))) {
      return { outcome: 'withdrawn', candidate };
    }
    const id = this.#knownId(candidate);
    const isOther = (tombstone: Tombstone) => !named.has(sourceKey(tombstone));
    if (!this.#pairs.has(id) && this.#withdrawnOn.get(dayOf(record))?.some(isOther)) {
      return { outcome: 'doubtful', candidate };
    }
    this.#lookalikes.addCandidate(id, candidate);
    const pair = this.#pairs.get(id) ?? {};
    const { candidate: before, known } = pair;
    const isHeldBack = known?.value.held_back && !candidate.tellsState;
    const own = { ...record, id, ...(isHeldBack && { held_back: true as const, verified: false }) };
    const taken = { ...candidate, record: uncut(uncut(own, known?.value), before?.record) };
    if (!before || newerOf(before, taken) === taken) {
      this.#pairs.set(id, { ...pair, candidate: taken });
    } else {
      const whole = { ...before, record: uncut(before.record, taken.record) };
      this.#pairs.set(id, { ...pair, candidate: whole });
    }
    return { outcome: before ? 'duplicate' : 'taken', candidate: taken };
  }

  /**
   * Returns the reviews of each file that there is or will be, in the order of its lines.
   *
   * @param isFull true if the exports have every review of their platforms
   * @param salt makes the salt of a new review
   */
  files(isFull: boolean, salt: () => string): Map<string, MatchedPair[]> {
    if (isFull) this.#matchEdits();
    const pairs = [...this.#pairs.values()].map((pair): MatchedPair => {
      const { known, candidate } = pair;
      if (known || !candidate) return pair;
      return { ...pair, candidate: { ...candidate, record: salted(candidate.record, salt()) } };
    });
    const ordered = pairs.map((pair) => ({ pair, order: orderOf(pair) }));
    ordered.sort((a, b) => (a.order < b.order ? -1 : 1));
    const sorted = ordered.map(({ pair }) => pair);
    return Map.groupBy(sorted, fileOf);
  }

  /**
   * Takes a new row of an export without ids for the edited version of a review that the export lacks,
   * if each is the only one of its author on that day and platform.
   */
  #matchEdits(): void {
    const pairs = [...this.#pairs.values()];
    const added = pairs.flatMap(({ known, candidate }) =>
      !known && candidate?.author !== undefined && !isNamed(candidate.record) ? [candidate] : [],
    );
    const gone = pairs.flatMap(({ known, candidate }) =>
      known && !candidate && !isNamed(known.value) ? [known] : [],
    );
    const addedByDay = Map.groupBy(added, ({ record }) => dayOf(record));
    const goneByAuthor = Map.groupBy(gone, ({ value }) => `${dayOf(value)} ${value.author}`);
    for (const [known, ...rivals] of goneByAuthor.values()) {
      const { id, author } = known!.value;
      const found = (addedByDay.get(dayOf(known!.value)) ?? []).filter((candidate) =>
        isDisplayOf(author, candidate.author),
      );
      const [candidate] = found;
      if (found.length !== 1 || rivals.length > 0) continue;
      if (!this.#pairs.delete(candidate!.record.id)) continue; // another author takes it
      const record = { ...candidate!.record, id };
      this.#pairs.set(id, { known: known!, candidate: { ...candidate!, record } });
    }
  }

  /**
   * Finds the review of a candidate: by the name its platform or its row gave it, or by the id derived
   * from that; another tool may name it otherwise, or it was typed.
   */
  #knownId(candidate: Candidate): string {
    const { record } = candidate;
    const bySourceId = record.source_id && this.#idBySourceId.get(sourceKey(record));
    if (bySourceId) return bySourceId;
    if (this.#pairs.has(record.id)) return record.id;
    return this.#lookalikes.find(candidate) ?? record.id;
  }
}

/** Returns the formats in which reviews of each platform were imported. */
function toolsBySource(imports: readonly ImportRecord[]): Map<string, Set<string>> {
  const tools = new Map<string, Set<string>>();
  for (const { format, sources } of imports) {
    for (const source of sources) {
      const found = tools.get(source) ?? new Set();
      tools.set(source, found.add(format.slice(format.indexOf(', ') + 2)));
    }
  }
  return tools;
}

/** Returns the keys by which a store knows the ids of the reviews of a file. */
export function namedIn(candidates: readonly Candidate[]): ReadonlySet<string> {
  return new Set(candidates.map(({ record }) => sourceKey(record)));
}

function dayOf({ source, date }: Tombstone | ReviewRecord): string {
  return `${source} ${date}`;
}

function sourceKey({ source, source_id: sourceId }: Tombstone | ReviewRecord): string {
  return `${source} ${sourceId}`;
}

/** Returns the path of the file in content/ that has a review. */
function fileOf({ known, candidate }: MatchedPair): string {
  return known?.file ?? `reviews/${candidate!.record.date.slice(0, 4)}.jsonl`;
}

function orderOf(pair: MatchedPair): string {
  const { date, id } = pair.known?.value ?? pair.candidate!.record;
  return `${fileOf(pair)} ${date} ${id}`;
}
