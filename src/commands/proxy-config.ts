import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { variantETag } from '../edition/etag.ts';
import {
  manifest,
  MANIFEST_FILE,
  pathInside,
  withItself,
  type Encoding,
} from '../edition/manifest.ts';
import { SIGNATURE_FILE } from '../edition/signature.ts';
import { UsageError, type Command } from '../run-command.ts';
import { nginxFiles } from './nginx.ts';

const USAGE =
  'usage: npm run proxy-config -- <edition folder> <folder to write> [its path on the server]';

/**
 * Writes the nginx configuration of an edition, and beside each file of the edition its ETag for
 * Caddy. Every file gets the edition's time, which Caddy sends as Last-Modified.
 */
export const proxyConfig: Command = async ([folder, target, path], print) => {
  if (!folder || !target) throw new UsageError(USAGE);
  const bytes = await readFile(join(folder, MANIFEST_FILE));
  const signature = await readFile(join(folder, SIGNATURE_FILE)).catch(() => undefined);
  const parsed = withItself(manifest.parse(JSON.parse(bytes.toString())), bytes, signature);

  await mkdir(target, { recursive: true });
  const { maps, locations } = nginxFiles(parsed, path ?? resolve(folder));
  await writeFile(join(target, 'edition-maps.conf'), maps);
  await writeFile(join(target, 'edition-locations.conf'), locations);

  const time = new Date(parsed.last_modified);
  const etags = new Map<string, string>();
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
  print(`wrote ${target}, and an ETag for each of ${etags.size} files`);
};
