import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Chain, type Change } from '../journal/chain.ts';
import { Comparison } from '../journal/comparison.ts';
import { noChanges } from '../journal/coverage.ts';
import { journalEntry } from '../schema/journal.ts';
import type { Tombstone } from '../schema/provenance.ts';
import type { ReviewRecord } from '../schema/review.ts';
import { namesIn } from './dataset-files.ts';
import { linesOf } from './json-rows.ts';
import { ImportError } from './reading.ts';
import type { StagedFiles } from './staged-files.ts';

/**
 * Records how a dataset differs from its journal: it is shown every review, and stages the entries
 * that lead there. Changes that were made by hand are recorded with the others.
 */
export class JournalWriter {
  /** Numbers of the changes so far. */
  readonly counts = noChanges();
  readonly #chain: Chain;
  readonly #comparison: Comparison;
  readonly #now: string;
  /** New lines by the file that they belong to. */
  readonly #lines = new Map<string, string[]>();

  constructor(chain: Chain, now: string) {
    this.#chain = chain;
    this.#comparison = new Comparison(chain);
    this.#now = now;
  }

  /** Reads the journal of a dataset. @throws {ImportError} at a line that does not fit */
  static async open(contentDir: string, now: string): Promise<JournalWriter> {
    return new JournalWriter(await readChain(contentDir), now);
  }

  get head() {
    return this.#chain.head;
  }

  /** Passes lines of `reviews/*.jsonl` on, and records their reviews. */
  *watch(lines: Iterable<string>): Generator<string> {
    for (const line of lines) {
      this.record(JSON.parse(line) as ReviewRecord);
      yield line;
    }
  }

  record(record: ReviewRecord): void {
    this.#take(this.#comparison.record(record));
  }

  bury(tombstones: Iterable<Tombstone>): void {
    for (const tombstone of tombstones) this.#take(this.#comparison.buried(tombstone));
  }

  /** The reviews that are in the journal and in nothing that it was shown. */
  vanished(): { id: string; date: string }[] {
    return [...this.#comparison.vanished()].map(({ id, date }) => ({ id, date }));
  }

  /** Stages the entries since the last call; none if there are no changes. */
  async stage(staged: StagedFiles): Promise<void> {
    for (const [file, lines] of this.#lines) await staged.append(file, lines);
    this.#lines.clear();
  }

  #take(change: Change | undefined): void {
    if (!change) return;
    const entry = this.#chain.append(change, this.#now);
    const file = `journal/${entry.at.slice(0, 4)}.jsonl`;
    const lines = this.#lines.get(file) ?? [];
    this.#lines.set(file, lines);
    lines.push(`${JSON.stringify(entry)}\n`);
    this.counts[change.change]++;
  }
}

async function readChain(contentDir: string): Promise<Chain> {
  const chain = new Chain();
  const folder = join(contentDir, 'journal');
  for (const file of await namesIn(folder)) {
    if (!file.endsWith('.jsonl')) continue;
    let number = 0;
    const text = createReadStream(join(folder, file), 'utf8') as AsyncIterable<string>;
    for await (const line of linesOf(text)) {
      number++;
      if (line.trim() === '') continue;
      const issue = issueOf(chain, line);
      if (issue === undefined) continue;
      const reason = `content/journal/${file}:${number}: ${issue}: npm run check:content says more`;
      throw new ImportError(reason);
    }
  }
  return chain;
}

function issueOf(chain: Chain, line: string): string | undefined {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return 'is broken JSON';
  }
  const parsed = journalEntry.safeParse(entry);
  if (!parsed.success) return 'is no entry of a journal';
  const issue = chain.add(parsed.data);
  return issue && `${issue.field}: ${issue.reason}`;
}
