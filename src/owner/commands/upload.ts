import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE_REVALIDATED } from '../../http.ts';
import { manifest, MANIFEST_FILE, type Manifest } from '../../edition/manifest.ts';
import { SIGNATURE_FILE } from '../../edition/signature.ts';
import { ASSETS_PATH, JSON_TYPE } from '../../paths.ts';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { Bucket, type StoredHeaders } from './bucket.ts';

const USAGE = `usage: npm run reviews -- upload <edition folder> <s3://bucket[/prefix]> [options]
  --delete-up-to <n>  delete at most n objects (four times as many as the edition has files)
  --localhost         upload an edition whose links lead to localhost
The bucket, or what is below the prefix, belongs to the edition: anything else there is deleted.`;

/** The type of compressed files: buckets do not negotiate, and sidecars read them as bytes. */
const ENCODED_TYPE = 'application/octet-stream';
/** Time for which pages in caches may still name assets of former editions. */
const OLD_ASSETS_STAY_MS = 86_400_000;
/** If more objects than this for each file of the edition would be deleted, it is the wrong bucket. */
const MAX_DELETED_PER_FILE = 4;

/**
 * Makes S3-compatible storage hold this edition alone: uploads its files, edition.json last, so that
 * every file it names is already there, and deletes what the edition does not name. Whatever step it
 * is killed at, the next run completes it.
 */
export const upload: Command = async (args, print) => {
  const { values, positionals } = parseOptions(
    args,
    {
      allowPositionals: true,
      options: { 'delete-up-to': { type: 'string' }, localhost: { type: 'boolean' } },
    },
    USAGE,
  );
  const [folder, target] = positionals;
  const atMost = values['delete-up-to'];
  if (!folder || !target || !/^s3:\/\/[^/]/.test(target) || !/^\d{1,9}$/.test(atMost ?? '0')) {
    throw new UsageError(USAGE);
  }
  const parsed = manifest.parse(JSON.parse(await readFile(join(folder, MANIFEST_FILE), 'utf8')));
  if (new URL(parsed.base_url).hostname === 'localhost' && !values.localhost) {
    throw new Error(
      `${folder}: its links lead to ${parsed.base_url}: build it with SITE_URL=https://…, or say --localhost`,
    );
  }
  const bucket = new Bucket(target, `${folder.replace(/\/$/, '')}.upload`);
  const named = new Set<string>();
  for (const { files, headers } of uploadGroups(parsed, existsSync(join(folder, SIGNATURE_FILE)))) {
    await bucket.put(folder, files, headers);
    print(`${files.length} files as ${headers['content-type']}`);
    for (const file of files) named.add(file);
  }

  const young = Date.now() - OLD_ASSETS_STAY_MS;
  const stale = (await bucket.list())
    .filter(({ file }) => !named.has(file))
    .filter(({ file, modified }) => !(`/${file}`.startsWith(ASSETS_PATH) && modified > young))
    .map(({ file }) => file);
  const bound = atMost === undefined ? named.size * MAX_DELETED_PER_FILE : Number(atMost);
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
): { headers: StoredHeaders; files: string[] }[] {
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
  const named = [...groups.values()].map((group) => {
    return { headers: group[0]!.headers, files: group.map(({ file }) => file) };
  });
  return [...named, { headers: last, files }];
}
