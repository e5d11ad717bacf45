import { resolve } from 'node:path';
import { z } from 'zod';
import { ContentError } from '../../content/issue.ts';
import { Reader } from '../../content/reader.ts';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { pastedId } from '../../schema/primitives.ts';
import { ANONYMOUS, type ReviewRecord } from '../../schema/review.ts';
import { fileOf, readDatasetFiles } from '../dataset-files.ts';
import { isNamed } from '../import/candidate.ts';
import { toLine } from '../import/merge.ts';
import { fieldsWith, nameIn, withoutNameIn } from '../author-name.ts';
import { rewriteHistory } from '../git-history.ts';
import { JournalWriter, randomSalt, tombstoneOf } from '../journal-writer.ts';
import { lockDataset } from '../locked-dataset.ts';

const USAGE = `usage: npm run reviews -- erase <review> [--name-only | --history COPY]
  review        its id or its address
  --name-only   keeps the review, without the name and the picture of its author
  --in-words    and also replaces the name in its words and its reply by […]
  --keep-words  and leaves the name there
  --history COPY  once that is committed: erases it from the history of git, in a copy of the repository
                  at this new folder, with git-filter-repo, and shows what is gone
The next import does not bring back what was erased.`;

/** Erases a review, or who wrote it, from the dataset, and says where else it still is. */
export const erase: Command = async (args, print) => {
  const { positionals, values } = parseOptions(args, OPTIONS, USAGE);
  const [id, ...others] = positionals.map(pastedId);
  if (!id || others.length > 0) throw new UsageError(USAGE);
  const isOfName = values['in-words'] || values['keep-words'];
  if (isOfName && !values['name-only']) throw new UsageError(USAGE);
  const contentDir = resolve(process.env.CONTENT_DIR || 'content');
  if (values.history !== undefined) {
    if (values['name-only']) throw new UsageError(USAGE);
    return eraseFromHistory(id, contentDir, resolve(values.history), print);
  }
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
  for (const line of remains(id, placed?.value)) print(line);
};

/** Erases a review from the history too, once it is erased from the newest files; checks and shows the result. */
async function eraseFromHistory(
  id: string,
  contentDir: string,
  copy: string,
  print: (line: string) => void,
): Promise<void> {
  const { reviews, withdrawn } = await readDatasetFiles(contentDir);
  const placed = reviews.find(({ value }) => value.id === id);
  const isErased = placed
    ? placed.value.author === ANONYMOUS
    : withdrawn.some((each) => each.id === id);
  if (!isErased) throw new Error(`${id}: is not erased: do that and commit it, then do this again`);
  const expressions = expressionsFor(id, placed !== undefined);
  const { removed, kept } = await rewriteHistory(contentDir, id, expressions, copy);
  const named = kept.find((line) => NAMED.test(line));
  if (named !== undefined) throw new Error(`${copy} still has: ${named}`);
  for (const line of removed) print(`- ${line}`);
  print(
    `These ${removed.length} lines are gone from all versions of all files in ${copy}, and ${kept.length} ` +
      'stay that have neither name nor words of the author; the newest files are the same, without issues.',
  );
  print('Now push it over the repository, and throw away every other copy:');
  print(`  git -C ${copy} remote add origin "$(git remote get-url origin)"`);
  print(`  git -C ${copy} push --force --all && git -C ${copy} push --force --tags`);
}

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
    history: { type: 'string' },
  },
} as const;

/** With a new salt, nobody can test a name against an earlier hash in the journal. */
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

/** A line whose author is not erased. */
const NAMED = new RegExp(`"author": ?"(?!${ANONYMOUS}")`);

/**
 * Returns lines for git-filter-repo that delete those of a review from every version of every file: they
 * have its id and an author, as neither its tombstone nor the journal has, or they annotate it.
 */
function expressionsFor(id: string, isKept: boolean): string[] {
  const line = (...fields: string[]) =>
    `regex:(?m)^\\{${fields.map((field) => `(?=[^\\n]*${field})`).join('')}[^\\n]*\\n?==>`;
  const author = isKept ? NAMED.source : '"author": ?"';
  const labels = isKept ? [] : [line(`"review_id": ?"${id}"`)];
  return [line(`"id": ?"${id}"`, author), ...labels];
}

/** Lists where an erased review still is, each with what removes it there. */
function remains(id: string, record: ReviewRecord | undefined): string[] {
  return [
    'Now run npm run build and deploy it. Until you do the following, it is still in:',
    '  the history of git: commit this, and erase it there too, in a copy at a new folder:',
    `    npm run reviews -- erase ${id} --history ../without-${id}`,
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
