import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Chain, type ChainMemory, type Change } from '../journal/chain.ts';
import { burialOf, changeOf, noChanges } from '../journal/comparison.ts';
import { journalEntry } from '../schema/journal.ts';
import type { Tombstone } from '../schema/provenance.ts';
import type { ReviewRecord } from '../schema/review.ts';
import { namesIn } from './dataset-files.ts';
import { linesOf } from './json-rows.ts';
import { ImportError } from './choose-reading.ts';
import type { StagedFiles } from './staged-files.ts';

/**
 * Records how a dataset differs from its journal: it is shown every review, and stages the entries
 * that lead there. Changes that were made by hand are recorded with the others.
 */
export class JournalWriter {
  /** Numbers of the changes so far. */
  readonly counts = noChanges();
  readonly #chain: Chain;
  readonly #now: string;
  readonly #staged: StagedFiles;

  constructor(chain: Chain, now: string, staged: StagedFiles) {
    this.#chain = chain;
    this.#now = now;
    this.#staged = staged;
  }

  get head() {
    return this.#chain.head;
  }

  record(record: ReviewRecord): void {
    this.#take(changeOf(this.#chain, record));
  }

  bury(tombstone: Tombstone): void {
    this.#take(burialOf(this.#chain, tombstone));
  }

  #take(change: Change | undefined): void {
    if (!change) return;
    const entry = this.#chain.append(change, this.#now);
    this.#staged.append(`journal/${entry.at.slice(0, 4)}.jsonl`).write(JSON.stringify(entry));
    this.counts[change.change]++;
  }
}

/** Reads the journal of a dataset into a chain. @throws {ImportError} at a line that does not fit */
export async function readChain(contentDir: string, memory: ChainMemory): Promise<Chain> {
  const chain = new Chain(memory);
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
