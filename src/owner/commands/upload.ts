import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE_DATA, CACHE_REVALIDATED, pageHeaders } from '../../http.ts';
import { manifest, MANIFEST_FILE, pathInside, type Manifest } from '../../edition/manifest.ts';
import { SIGNATURE_FILE } from '../../edition/signature.ts';
import {
  ASSETS_PATH,
  JOURNAL_PATH,
  JSON_TYPE,
  reviewDocumentPath,
  reviewPath,
} from '../../paths.ts';
import { errorOf } from '../../schema/error.ts';
import {
  journalDocument,
  monthChanges,
  WITHDRAWAL_REASONS,
  type JournalEntry,
} from '../../schema/journal.ts';
import type { GoneBody } from '../../schema/review-document.ts';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { Bucket, type StoredHeaders } from './bucket.ts';

const USAGE = `usage: npm run reviews -- upload <edition folder> <s3://bucket[/prefix]> [options]
  --delete-up-to <n>  delete at most n objects (four times as many as the edition has files)
The bucket, or what is below the prefix, belongs to the edition: anything else there is deleted.`;

/** Files that are uploaded with the same headers. */
interface UploadGroup {
  headers: StoredHeaders;
  files: string[];
}

/** The type of compressed files: buckets do not negotiate, and sidecars read them as bytes. */
const ENCODED_TYPE = 'application/octet-stream';
/** Pages that a cache still has name them. */
const OLD_ASSETS_STAY_MS = 86_400_000;
/** More than this many objects a file of the edition is another bucket than meant. */
const MOST_DELETED_PER_FILE = 4;

/**
 * Makes S3-compatible storage hold this edition alone: uploads its files, edition.json last, so that
 * every file it names is already there; puts tombstones in the place of withdrawn reviews; and
 * deletes what the edition does not name. Whatever step it is killed at, the next run completes it.
 */
export const upload: Command = async (args, print) => {
  const { values, positionals } = parseOptions(
    args,
    { allowPositionals: true, options: { 'delete-up-to': { type: 'string' } } },
    USAGE,
  );
  const [folder, target] = positionals;
  const atMost = values['delete-up-to'];
  if (!folder || !target || !/^s3:\/\/[^/]/.test(target) || !/^\d{1,9}$/.test(atMost ?? '0')) {
    throw new UsageError(USAGE);
  }
  const parsed = manifest.parse(JSON.parse(await readFile(join(folder, MANIFEST_FILE), 'utf8')));
  const { pages, documents } = await withdrawnObjects(folder, parsed);
  const bucket = new Bucket(target, `${folder.replace(/\/$/, '')}.upload`);
  const named = new Set([...pages.keys(), ...documents.keys()]);
  for (const { files, headers } of uploadGroups(parsed, existsSync(join(folder, SIGNATURE_FILE)))) {
    await bucket.put(new Map(files.map((file) => [file, pathInside(folder, file)])), headers);
    print(`${files.length} files as ${headers['content-type']}`);
    for (const file of files) named.add(file);
  }

  const withdrawn = { 'cache-control': CACHE_DATA };
  if (documents.size > 0) {
    await bucket.put(documents, { ...withdrawn, 'content-type': JSON_TYPE });
    await bucket.put(pages, { ...withdrawn, 'content-type': pageHeaders()['content-type']! });
    print(`${documents.size} tombstones of withdrawn reviews`);
  }

  const young = Date.now() - OLD_ASSETS_STAY_MS;
  const stale = (await bucket.list())
    .filter(({ file }) => !named.has(file))
    .filter(({ file, modified }) => !(`/${file}`.startsWith(ASSETS_PATH) && modified > young))
    .map(({ file }) => file);
  const bound = atMost === undefined ? named.size * MOST_DELETED_PER_FILE : Number(atMost);
  if (stale.length > bound) {
    throw new Error(
      `${target} has ${stale.length} objects that this edition does not name, ${stale[0]} for one: ` +
        `more than ${bound}, so none was deleted. If they may all go: --delete-up-to ${stale.length}`,
    );
  }
  await bucket.delete(stale);
  print(`${stale.length} objects deleted that this edition does not name`);
};

/** Groups the files of an edition by their headers, edition.json last and never cached. */
function uploadGroups(
  { resources, header_sets: headerSets }: Manifest,
  isSigned: boolean,
): UploadGroup[] {
  const stored = resources.flatMap(({ file, type, headers, encodings }) => {
    const { 'cache-control': cached, 'content-disposition': disposition } = headerSets[headers]!;
    const caching = { 'cache-control': cached! };
    const plain = { 'content-type': type, ...caching, 'content-disposition': disposition };
    const encoded = { 'content-type': ENCODED_TYPE, ...caching };
    const variants = Object.values(encodings).map((variant) => variant.file);
    return [
      { file, headers: plain },
      ...variants.map((name) => ({ file: name, headers: encoded })),
    ];
  });
  const groups = Map.groupBy(stored, ({ headers }) => JSON.stringify(headers));
  const files = isSigned ? [SIGNATURE_FILE, MANIFEST_FILE] : [MANIFEST_FILE];
  const last = { 'content-type': JSON_TYPE, 'cache-control': CACHE_REVALIDATED };
  const named = [...groups.values()].map((group): UploadGroup => {
    return { headers: group[0]!.headers, files: group.map(({ file }) => file) };
  });
  return [...named, { headers: last, files }];
}

/** Objects in the place of withdrawn reviews, by the name of the file. */
interface Tombstones {
  pages: Map<string, Uint8Array>;
  documents: Map<string, Uint8Array>;
}

/**
 * Returns objects to take the place of the page and the document of each review that was withdrawn,
 * as the journal of an edition says. A bucket serves them with 200; their content is that of a 410.
 */
async function withdrawnObjects(folder: string, edition: Manifest): Promise<Tombstones> {
  const named = new Map(edition.resources.map(({ path, file }) => [path, file]));
  const read = async (path: string): Promise<unknown> =>
    JSON.parse(await readFile(pathInside(folder, named.get(path)!), 'utf8'));
  const newest = new Map<string, JournalEntry>();
  if (named.has(JOURNAL_PATH)) {
    for (const path of journalDocument.parse(await read(JOURNAL_PATH)).months) {
      for (const entry of monthChanges.parse(await read(path)).changes) {
        if (!newest.has(entry.id)) newest.set(entry.id, entry);
      }
    }
  }
  const tombstones: Tombstones = { pages: new Map(), documents: new Map() };
  for (const { id, date, change, reason = 'other' } of newest.values()) {
    if (change !== 'withdrawn' || named.has(reviewDocumentPath(id))) continue;
    const body: GoneBody = { ...errorOf('gone'), withdrawn: { id, date, reason } };
    const document = Buffer.from(`${JSON.stringify(body)}\n`);
    tombstones.documents.set(reviewDocumentPath(id).slice(1), document);
    const text = `Review ${id} of ${date} was withdrawn: ${WITHDRAWAL_REASONS[reason]}.`;
    tombstones.pages.set(`${reviewPath(id).slice(1)}index.html`, Buffer.from(pageOf(text)));
  }
  return tombstones;
}

function pageOf(text: string): string {
  return `<!doctype html><html lang="en"><meta name="robots" content="noindex"><title>Withdrawn</title><p>${text}</p></html>\n`;
}
