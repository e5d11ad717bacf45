import { resolve } from 'node:path';
import { z } from 'zod';
import { ContentError } from '../../content/issue.ts';
import { Reader } from '../../content/reader.ts';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { ANONYMOUS, type ReviewRecord } from '../../schema/review.ts';
import { fileOf, readDatasetFiles } from '../dataset-files.ts';
import { isNamed } from '../import/candidate.ts';
import { toLine } from '../import/merge.ts';
import { fieldsWith, nameIn, withoutNameIn } from '../author-name.ts';
import { JournalWriter, randomSalt, tombstoneOf } from '../journal-writer.ts';
import { lockDataset } from '../locked-dataset.ts';

const USAGE = `usage: npm run reviews -- erase <review-id> [--name-only]
  --name-only   keeps the review, without the name and the picture of its author
  --in-words    and also replaces the name in its words and its reply by […]
  --keep-words  and leaves the name there
The next import does not bring back what was erased.`;

/** Erases a review, or who wrote it, from the dataset, and says where else it still is. */
export const erase: Command = async (args, print) => {
  const { positionals, values } = parseOptions(args, OPTIONS, USAGE);
  const [id, ...others] = positionals;
  if (!id || others.length > 0) throw new UsageError(USAGE);
  const isOfName = values['in-words'] || values['keep-words'];
  if (isOfName && !values['name-only']) throw new UsageError(USAGE);
  const contentDir = resolve(process.env.CONTENT_DIR || 'content');
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  using dataset = lockDataset(contentDir);
  const { chain, reviews, withdrawn } = await readDatasetFiles(contentDir);
  const placed = reviews.find(({ value }) => value.id === id);
  // An erasure that was stopped in the middle has its tombstone, and is completed.
  const buried = withdrawn.find((tombstone) => tombstone.id === id);
  if (!placed && !buried) throw new Error(`${id}: no line of content/reviews has this id`);
  const journal = new JournalWriter(chain, now, dataset);
  const name = placed && nameIn(placed.value.author);
  const fields = name && values['name-only'] ? fieldsWith(name, placed.value) : [];
  if (fields.length > 0 && values['in-words'] === values['keep-words']) {
    throw new Error(
      `${placed!.file}:${placed!.line}: the name is also in ${fields.join(' and ')}: say --in-words to ` +
        'replace it there by […], or --keep-words to leave it',
    );
  }
  const replaced = name && values['in-words'] ? withoutNameIn(name, placed.value) : placed?.value;
  const unnamed = replaced && values['name-only'] ? withoutName(replaced, now) : undefined;
  if (placed) {
    const lines = reviews
      .filter(({ file }) => file === placed.file)
      .map((each) => (each === placed && unnamed ? { ...each, text: toLine(unnamed) } : each))
      .filter((each) => each !== placed);
    dataset.replace(placed.file, fileOf(lines));
  }
  if (unnamed) journal.record(unnamed);
  else {
    for (const [name, lines] of await annotationsWithout(id, contentDir)) {
      dataset.replace(name, lines);
    }
    if (buried) journal.bury(buried);
    else journal.withdraw(tombstoneOf(placed!.value, now, 'author-request'));
  }
  const written = dataset.commit();
  print(written.length > 0 ? `Wrote ${written.join(', ')}` : `${id} was erased before`);
  if (unnamed && name) {
    for (const place of await documentsWith(name, contentDir))
      print(`${place}: has the name: edit it`);
  }
  for (const line of remains(id, placed?.value, unnamed !== undefined)) print(line);
};

/** Returns the lines of the FAQ and the summary that have a name. */
async function documentsWith(name: RegExp, contentDir: string): Promise<string[]> {
  const reader = new Reader(contentDir);
  const names = ((await reader.list('faq', '.md')) ?? []).map((file) => `faq/${file}`);
  const places: string[] = [];
  for (const path of [...names, 'summary.md']) {
    const text = (await reader.text(path, { optional: true })) ?? '';
    for (const [at, line] of text.split('\n').entries()) {
      if (line.search(name) !== -1) places.push(`${reader.shown(path)}:${at + 1}`);
    }
  }
  return places;
}

const OPTIONS = {
  allowPositionals: true,
  options: {
    'name-only': { type: 'boolean', default: false },
    'in-words': { type: 'boolean', default: false },
    'keep-words': { type: 'boolean', default: false },
  },
} as const;

/** With a new salt, nobody can test a name against the hash that the journal had of it. */
function withoutName(record: ReviewRecord, now: string): ReviewRecord {
  const { author_avatar_url: _, ...kept } = record;
  return { ...kept, author: ANONYMOUS, salt: randomSalt(), updated_at: now };
}

/** Returns the files of annotations without those of a review. @throws {ContentError} */
async function annotationsWithout(id: string, contentDir: string): Promise<[string, string][]> {
  const reader = new Reader(contentDir);
  const files: [string, string][] = [];
  for (const name of (await reader.list('annotations', '.jsonl')) ?? []) {
    const lines = await reader.jsonLines(`annotations/${name}`, annotated);
    const kept = lines.filter(({ value }) => value.review_id !== id);
    if (kept.length < lines.length) files.push([`annotations/${name}`, fileOf(kept)]);
  }
  if (reader.issues.length > 0) throw new ContentError(reader.issues);
  return files;
}

const annotated = z.looseObject({ review_id: z.string() });

/**
 * Returns lines for git-filter-repo that delete those of a review from every version of every file: they
 * have its id and an author, as neither its tombstone nor the journal has, or they annotate it.
 */
function historyOf(id: string, isKept: boolean): string {
  const line = (...fields: string[]) =>
    `'regex:(?m)^\\{${fields.map((field) => `(?=[^\\n]*${field})`).join('')}[^\\n]*\\n?==>'`;
  const author = isKept ? `"author": ?"(?!${ANONYMOUS}")` : '"author": ?"';
  const labels = isKept ? [] : [line(`"review_id": ?"${id}"`)];
  return [line(`"id": ?"${id}"`, author), ...labels].join(' ');
}

/** Lists where an erased review still is, each with what removes it there. */
function remains(id: string, record: ReviewRecord | undefined, isKept: boolean): string[] {
  return [
    'Now run npm run build and deploy it. Until you do the following, it is still in:',
    '  the history of git, from which this deletes its lines, and then git push --force:',
    `    git filter-repo --replace-text <(printf '%s\\n' ${historyOf(id, isKept)})`,
    '  releases on a server: rm -rf /srv/reviews/releases/<older>',
    '  caches of a CDN: aws cloudfront create-invalidation --paths "/*", or purge everything',
    '  DATA_DIR of each sidecar, until it serves the new edition: rm -rf DATA_DIR/editions',
    '  exports on your disk, artifacts of CI (gh run delete), backups and versions of a bucket',
    '  feed readers and subscribers, who get the change and may keep a copy',
    ...(record && !isNamed(record)
      ? [
          '  withdrawn.jsonl, which is not published: the hash of its row keeps it out of later imports, and',
          '  confirms a guess. To remove that, delete its source_id; old exports then bring the review back.',
        ]
      : []),
    ...(record && record.salt === undefined
      ? [
          '  the journal: it recorded this review without a salt, so a person who guesses its words and',
          '  its author can confirm them. To remove that, delete content/journal and record anew.',
        ]
      : []),
  ];
}
