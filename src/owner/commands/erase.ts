import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { ANONYMOUS, type ReviewRecord } from '../../schema/review.ts';
import { readRecords } from '../dataset-files.ts';
import { toLine } from '../import/merge.ts';
import { JournalWriter, readChain } from '../journal-writer.ts';
import { lockDataset, type LockedDataset } from '../locked-dataset.ts';
import { randomSalt } from '../random-salt.ts';

const USAGE = `usage: npm run reviews -- erase <review-id> [--name-only]
  --name-only  keeps the review, without the name and the picture of its author
The next import does not bring back what was erased.`;

/** Erases a review, or who wrote it, from the dataset, and says where else it still is. */
export const erase: Command = async (args, print) => {
  const { positionals, values } = parseOptions(args, OPTIONS, USAGE);
  const [id, ...others] = positionals;
  if (!id || others.length > 0) throw new UsageError(USAGE);
  const contentDir = resolve(process.env.CONTENT_DIR || 'content');
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  using dataset = lockDataset(contentDir);
  const placed = [...readRecords(contentDir)].find(({ value }) => value.id === id);
  if (!placed) throw new Error(`${id}: no line of content/reviews has this id`);
  const { name, value: record } = placed;
  const chain = readChain(contentDir);
  const journal = new JournalWriter(chain, now, dataset);
  const unnamed = values['name-only'] ? withoutName(record, now) : undefined;
  replaceLine(dataset, contentDir, name, id, unnamed);
  if (unnamed) journal.record(unnamed);
  else {
    const { date, source, source_id } = record;
    const tombstone = { id, date, source, ...(source_id !== undefined && { source_id }) };
    journal.withdraw({ ...tombstone, withdrawn_at: now, reason: 'author-request' });
    for (const file of annotationFiles(contentDir)) replaceLine(dataset, contentDir, file, id);
  }
  print(`Wrote ${dataset.commit().join(', ')}`);
  for (const line of remains(record)) print(line);
};

const OPTIONS = {
  allowPositionals: true,
  options: { 'name-only': { type: 'boolean', default: false } },
} as const;

/** With a new salt, nobody can test a name against the hash that the journal had of it. */
function withoutName(record: ReviewRecord, now: string): ReviewRecord {
  const { author_avatar_url: _, ...kept } = record;
  return { ...kept, author: ANONYMOUS, salt: randomSalt(), updated_at: now };
}

/** Replaces the lines of a review in a file, or deletes them. */
function replaceLine(
  dataset: LockedDataset,
  contentDir: string,
  name: string,
  id: string,
  record?: ReviewRecord,
): void {
  const lines = readFileSync(join(contentDir, name), 'utf8').split('\n');
  const changed = lines.flatMap((line) => {
    if (line.trim() === '') return [line];
    const { id: own, review_id: of } = JSON.parse(line) as { id?: string; review_id?: string };
    if ((own ?? of) !== id) return [line];
    return record ? [toLine(record)] : [];
  });
  const text = changed.join('\n');
  dataset.replace(name, text.trim() === '' ? '' : text);
}

function annotationFiles(contentDir: string): string[] {
  try {
    const names = readdirSync(join(contentDir, 'annotations'));
    return names.filter((name) => name.endsWith('.jsonl')).map((name) => `annotations/${name}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Lists where an erased review still is, each with what removes it there. */
function remains({ id, salt }: ReviewRecord): string[] {
  return [
    'Now run npm run build and deploy it. Until you do the following, it is still in:',
    `  the history of git: git filter-repo --replace-text <(echo 'regex:.*${id}.*==>'), then git push --force`,
    '  releases on a server: rm -rf /srv/reviews/releases/<older>',
    '  caches of a CDN: aws cloudfront create-invalidation --paths "/*", or purge everything',
    '  DATA_DIR of each sidecar, until it serves the new edition: rm -rf DATA_DIR/editions',
    '  exports on your disk, artifacts of CI (gh run delete), backups and versions of a bucket',
    '  feed readers and subscribers, who get the change and may keep a copy',
    ...(salt === undefined
      ? [
          '  the journal: it recorded this review without a salt, so a person who guesses its words and',
          '  its author can confirm them. To remove that, delete content/journal and record anew.',
        ]
      : []),
  ];
}
