import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { link, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CACHE_REVALIDATED } from '../http.ts';
import { manifest, MANIFEST_FILE, pathInside, type Manifest } from '../edition/manifest.ts';
import { SIGNATURE_FILE } from '../edition/signature.ts';
import { JSON_TYPE } from '../paths.ts';
import { UsageError, type Command } from '../run-command.ts';

const run = promisify(execFile);
const USAGE = 'usage: npm run upload -- <edition folder> <s3://bucket[/prefix]>';

/** Files that are uploaded with the same headers. */
interface UploadGroup {
  type: string;
  cacheControl: string;
  files: string[];
}

/** The type of compressed files: buckets do not negotiate, and sidecars read them as bytes. */
const ENCODED_TYPE = 'application/octet-stream';

/**
 * Uploads an edition to S3-compatible storage with the AWS client, edition.json last, so that every
 * file it names is already there.
 */
export const upload: Command = async ([folder, target], print) => {
  if (!folder || !target?.startsWith('s3://')) throw new UsageError(USAGE);
  const parsed = manifest.parse(JSON.parse(await readFile(join(folder, MANIFEST_FILE), 'utf8')));
  const isSigned = existsSync(join(folder, SIGNATURE_FILE));
  for (const { files, type, cacheControl } of uploadGroups(parsed, isSigned)) {
    // Beside the edition, so that links are enough; the client takes one folder at a time.
    const group = await mkdtemp(`${folder.replace(/\/$/, '')}.upload-`);
    try {
      for (const file of files) {
        const linked = pathInside(group, file);
        await mkdir(dirname(linked), { recursive: true });
        await link(pathInside(folder, file), linked);
      }
      const headers = ['--content-type', type, '--cache-control', cacheControl];
      const copy = ['s3', 'cp', group, target, '--recursive', '--only-show-errors'];
      await run('aws', [...copy, ...headers]);
      print(`${files.length} files as ${type}`);
    } finally {
      await rm(group, { recursive: true, force: true });
    }
  }
};

/** Groups the files of an edition by their headers, edition.json last and never cached. */
function uploadGroups(
  { resources, header_sets: headerSets }: Manifest,
  isSigned: boolean,
): UploadGroup[] {
  const groups = new Map<string, UploadGroup>();
  const add = (file: string, type: string, cacheControl: string): void => {
    const key = JSON.stringify([type, cacheControl]);
    const group = groups.get(key) ?? { type, cacheControl, files: [] };
    groups.set(key, group);
    group.files.push(file);
  };
  for (const { file, type, headers, encodings } of resources) {
    const cacheControl = headerSets[headers]!['cache-control']!;
    add(file, type, cacheControl);
    for (const variant of Object.values(encodings)) add(variant.file, ENCODED_TYPE, cacheControl);
  }
  const files = isSigned ? [SIGNATURE_FILE, MANIFEST_FILE] : [MANIFEST_FILE];
  const last = { type: JSON_TYPE, cacheControl: CACHE_REVALIDATED, files };
  return [...groups.values(), last];
}
