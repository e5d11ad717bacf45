import { execFile } from 'node:child_process';
import { link, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { manifest, MANIFEST_FILE, pathInside } from '../../edition/manifest.ts';
import { uploadGroups } from './groups.ts';

// Uploads an edition to S3-compatible storage with the AWS client, edition.json last: who finds it
// finds every file that it names.
const run = promisify(execFile);
const USAGE = 'usage: npm run upload -- <edition folder> <s3://bucket[/prefix]>';

try {
  const [folder, target] = process.argv.slice(2);
  if (!folder || !target?.startsWith('s3://')) throw new Error(USAGE);
  const parsed = manifest.parse(JSON.parse(await readFile(join(folder, MANIFEST_FILE), 'utf8')));
  for (const { files, type, cacheControl } of uploadGroups(parsed)) {
    // Beside the edition, so that a link is enough; the client takes one folder at a time.
    const group = await mkdtemp(`${folder.replace(/\/$/, '')}.upload-`);
    try {
      for (const file of files) {
        const linked = pathInside(group, file);
        await mkdir(dirname(linked), { recursive: true });
        await link(pathInside(folder, file), linked);
      }
      const headers = ['--content-type', type, '--cache-control', cacheControl];
      await run('aws', [
        's3',
        'cp',
        group,
        target,
        '--recursive',
        '--only-show-errors',
        ...headers,
      ]);
      process.stdout.write(`${files.length} files as ${type}\n`);
    } finally {
      await rm(group, { recursive: true, force: true });
    }
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
