import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { strongETag, variantETag } from '../../edition/etag.ts';
import { manifest, MANIFEST_FILE, pathInside, type Encoding } from '../../edition/manifest.ts';
import { nginxFiles } from './nginx.ts';

const USAGE = 'usage: npm run front -- <edition folder> <folder to write> [its path on the server]';

try {
  const [folder, target, path] = process.argv.slice(2);
  if (!folder || !target) throw new Error(USAGE);
  const bytes = await readFile(join(folder, MANIFEST_FILE));
  const parsed = manifest.parse(JSON.parse(bytes.toString()));
  const manifestETag = strongETag(bytes);

  await mkdir(target, { recursive: true });
  const { maps, locations } = nginxFiles(parsed, manifestETag, path ?? resolve(folder));
  await writeFile(join(target, 'edition-maps.conf'), maps);
  await writeFile(join(target, 'edition-locations.conf'), locations);

  const time = new Date(parsed.last_modified);
  const etags = new Map([[MANIFEST_FILE, manifestETag]]);
  for (const { file, etag, encodings } of parsed.resources) {
    etags.set(file, etag);
    for (const encoding of Object.keys(encodings) as Encoding[]) {
      etags.set(encodings[encoding]!.file, variantETag(etag, encoding));
    }
  }
  for (const [file, etag] of etags) {
    await writeFile(pathInside(folder, `${file}.etag`), etag);
    await utimes(pathInside(folder, file), time, time);
  }
  process.stdout.write(`${etags.size} files have an ETag; wrote ${target}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
