import { cpSync, symlinkSync } from 'node:fs';
import { cp, readFile, rename, writeFile } from 'node:fs/promises';
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
  await copyPart(sample, client, leaveTwoOfEachKind);
  symlinkSync(join(dirname(sample), 'server'), join(folder, 'server'));
  return client;
}

/** Folders of many files of one kind. */
const OF_MANY =
  /^\/(_astro|api\/feed|api\/reviews\/since|developers|embed|feed|insights|reviews|schemas|services|technicians)\/(?=.)/;

function leaveTwoOfEachKind(manifest: Manifest): void {
  const folderOf = ({ path }: Resource) => OF_MANY.exec(path)?.[0];
  const folders = Map.groupBy(manifest.resources, folderOf);
  manifest.resources = manifest.resources.filter((resource) => {
    const folder = folderOf(resource);
    if (folder === undefined) return true;
    const files = folders.get(folder)!;
    return resource === files[0] || resource === files.at(-1);
  });
}

/** Copies the files of an edition that a change of its manifest leaves. */
export async function copyPart(
  from: string,
  to: string,
  change: (manifest: Manifest) => void,
): Promise<void> {
  const manifest = await manifestIn(from);
  change(manifest);
  for (const { file, encodings } of manifest.resources) {
    for (const name of [file, ...Object.values(encodings).map((variant) => variant.file)]) {
      await cp(join(from, name), join(to, name));
    }
  }
  await writeFile(join(to, MANIFEST_FILE), JSON.stringify(manifest));
}

async function manifestIn(client: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(client, MANIFEST_FILE), 'utf8')) as Manifest;
}

/** Makes it the edition in which a file has this text; leaves the file itself to the test. */
export async function announceText(source: string, file: string, text: string): Promise<void> {
  await changeManifest(source, (manifest) => describeText(manifest, file, text));
}

/** Makes a manifest say that a file has this text. */
export function describeText({ resources }: Manifest, file: string, text: string): void {
  const resource = resources.find((known) => known.file === file)!;
  resource.size = Buffer.byteLength(text);
  resource.etag = quoteDigest(sha256(text));
  resource.encodings = {};
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
  const manifest = await manifestIn(source);
  change(manifest);
  await putFile(source, MANIFEST_FILE, JSON.stringify(manifest));
}
