import { cpSync, symlinkSync } from 'node:fs';
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CurrentEdition } from '../../sidecar/edition/current-edition.ts';
import type { LoaderOptions } from '../../sidecar/edition/edition-loader.ts';
import { OriginSource } from '../../sidecar/edition/origin-source.ts';
import { FolderSource } from '../../sidecar/edition/source.ts';
import { quoteDigest, sha256 } from '../../src/edition/etag.ts';
import { MANIFEST_FILE, type Manifest, type Resource } from '../../src/edition/manifest.ts';
import { quiet, sampleEdition } from './edition.ts';
import { folderOfProcess, temporaryFolder } from './fixtures.ts';

/** An edition of few files where a test may change it, and an empty folder for a sidecar's data. */
export async function editionFolder(
  context: Parameters<typeof temporaryFolder>[0],
): Promise<{ source: string; dataDir: string }> {
  const folder = await temporaryFolder(context);
  const source = join(folder, 'source');
  cpSync(await smallEdition(), source, { recursive: true });
  symlinkSync(join(dirname(await sampleEdition()), 'server'), join(folder, 'server'));
  return { source, dataDir: join(folder, 'data') };
}

/** Opens the edition in a folder or at an address as a sidecar does. */
export function openCurrent(
  source: string,
  dataDir: string,
  options: Partial<LoaderOptions> = {},
): Promise<CurrentEdition> {
  const from = source.startsWith('http') ? new OriginSource(source) : new FolderSource(source);
  return CurrentEdition.open({ source: from, dataDir, logger: quiet, ...options });
}

let small: Promise<string> | undefined;

/** The sample edition with few files, for a sidecar to start on; written once in a process. */
export function smallEdition(): Promise<string> {
  return (small ??= keepSmall());
}

async function keepSmall(): Promise<string> {
  const folder = await folderOfProcess();
  const sample = await sampleEdition();
  const client = join(folder, 'client');
  await writeSmallEdition(sample, client);
  symlinkSync(join(dirname(sample), 'server'), join(folder, 'server'));
  return client;
}

/** Folders of many files of one kind. */
const OF_MANY =
  /^\/(_astro|api\/feed|api\/reviews\/since|developers|embed|feed|insights|reviews|schemas|services|technicians)\/(?=.)/;

/** Writes the sample edition with two files of each kind in place of hundreds. */
async function writeSmallEdition(sample: string, target: string): Promise<void> {
  const bytes = await readFile(join(sample, MANIFEST_FILE), 'utf8');
  const manifest = JSON.parse(bytes) as Manifest;
  const folderOf = ({ path }: Resource) => OF_MANY.exec(path)?.[0];
  const folders = Map.groupBy(manifest.resources, folderOf);
  manifest.resources = manifest.resources.filter((resource) => {
    const folder = folderOf(resource);
    if (folder === undefined) return true;
    const files = folders.get(folder)!;
    return resource === files[0] || resource === files.at(-1);
  });
  for (const { file, encodings } of manifest.resources) {
    for (const name of [file, ...Object.values(encodings).map((variant) => variant.file)]) {
      await cp(join(sample, name), join(target, name));
    }
  }
  await writeFile(join(target, MANIFEST_FILE), JSON.stringify(manifest));
}

/** Makes it the edition in which a file has this text; leaves the file itself to the test. */
export async function announceText(source: string, file: string, text: string): Promise<void> {
  await changeManifest(source, (manifest) => {
    const resource = manifest.resources.find((known) => known.file === file)!;
    resource.size = Buffer.byteLength(text);
    resource.etag = quoteDigest(sha256(text));
    resource.encodings = {};
  });
}

/** Replaces a file at once, as an upload that renames does. */
export async function putFile(source: string, file: string, text: string): Promise<void> {
  await writeFile(join(source, `${file}.part`), text);
  await rename(join(source, `${file}.part`), join(source, file));
}

/** Replaces the edition by a complete new one. */
export async function publishText(source: string, file: string, text: string): Promise<void> {
  await putFile(source, file, text);
  await announceText(source, file, text);
}

export async function changeManifest(
  source: string,
  change: (manifest: Manifest) => void,
): Promise<void> {
  const path = join(source, MANIFEST_FILE);
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest;
  change(manifest);
  await rm(path);
  await writeFile(path, JSON.stringify(manifest));
}
