import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  MANIFEST_FILE,
  pathInside,
  type Encoding,
  type Manifest,
  type Resource,
} from '../../src/edition/manifest.ts';
import { SIGNATURE_FILE } from '../../src/edition/signature.ts';
import { collect } from '../base/bodies.ts';
import { isDiskFull } from '../base/data-dir.ts';
import { readIfPresent } from '../../src/files.ts';

/** The source has no edition that can be served: an upload is incomplete, or an origin is down. */
export class UnusableEditionError extends Error {
  override readonly name = 'UnusableEditionError';
}

/** One file that edition.json describes: a resource, or an encoded variant of one. */
export interface EditionFile {
  /** URL path of the resource. */
  path: string;
  /** Path inside the edition folder. */
  file: string;
  size: number;
  /** sha-256 of the bytes, base64url. */
  digest: string;
  encoding?: Encoding;
}

/** Lists all files of an edition, in the order of the manifest. */
export function editionFiles({ resources }: Manifest): EditionFile[] {
  return resources.flatMap(filesOf);
}

/** Lists the files of a resource: its own, then its encoded variants. */
export function filesOf(resource: Resource): [EditionFile, ...EditionFile[]] {
  const { path, file, size, etag, encodings } = resource;
  const variants = Object.entries(encodings).map(([encoding, { sha256: digest, ...variant }]) => {
    return { path, ...variant, digest, encoding: encoding as Encoding };
  });
  return [{ path, file, size, digest: etag.slice(1, -1) }, ...variants];
}

export interface ManifestRead {
  bytes: Buffer;
  /** Changes with the bytes; undefined if the source does not have one. */
  version: string | undefined;
}

export interface FileLocation {
  /** For messages; contains no credentials. */
  name: string;
  /** Starts reading. @throws if there is no file */
  open(signal: AbortSignal): Promise<AsyncIterable<Buffer>>;
}

/** A source of editions. Its files must be verified before they are trusted. */
export interface EditionSource {
  /** For logs, and to tell sources apart; contains no credentials. */
  readonly name: string;
  /** True if reading from it can take long. */
  readonly remote: boolean;
  /**
   * Reads edition.json; returns undefined if it still has the known version.
   *
   * @throws {UnusableEditionError} if there is none
   */
  readManifest(
    knownVersion: string | undefined,
    signal: AbortSignal,
  ): Promise<ManifestRead | undefined>;
  /**
   * Reads the signature of the edition; returns undefined if there is none.
   *
   * @throws {UnusableEditionError} if that cannot be known now
   */
  readSignature(signal: AbortSignal): Promise<Buffer | undefined>;
  /** Lists the places where a file may be, the most likely first. */
  locations(file: EditionFile): FileLocation[];
}

/** Size up to which a file is read at once: most files are small, and each chunk of a stream costs as much. */
const WHOLE_BYTES = 256 * 1024;

/**
 * Reads a file of an edition from its source and verifies it as it arrives. All files from sources
 * are read here.
 *
 * @param write throws what reading the bytes throws
 * @throws {UnusableEditionError} if no location has the bytes that the manifest describes
 */
export async function fetchFile(
  source: EditionSource,
  file: EditionFile,
  write: (bytes: Buffer | AsyncIterable<Buffer>) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const reasons: string[] = [];
  for (const { name, open } of source.locations(file)) {
    try {
      const chunks = verified(await open(signal), file, signal);
      const isSmall = file.size <= WHOLE_BYTES;
      await write(isSmall ? (await collect(chunks, file.size))! : chunks);
      return;
    } catch (error) {
      if (isDiskFull(error)) throw error;
      reasons.push(`${name}: ${messageOf(error)}`);
    }
    if (signal.aborted) break;
  }
  throw new UnusableEditionError(reasons.join('; '));
}

/** Returns the message of an error; a refusal by every address of a name has only a code. */
export function messageOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return message || code || 'no connection';
}

/** Passes bytes on; throws if they are not the expected file. */
async function* verified(
  chunks: AsyncIterable<Buffer>,
  { size, digest }: EditionFile,
  signal: AbortSignal,
): AsyncIterable<Buffer> {
  const hash = createHash('sha256');
  let length = 0;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    length += chunk.length;
    if (length > size) throw new Error(`longer than ${MANIFEST_FILE} says`);
    hash.update(chunk);
    yield chunk;
  }
  if (length < size) throw new Error(`shorter than ${MANIFEST_FILE} says`);
  if (hash.digest('base64url') !== digest) throw new Error(`not the bytes of ${MANIFEST_FILE}`);
}

/** Reads an edition from a folder, which a build replaces or an upload writes into. */
export class FolderSource implements EditionSource {
  readonly name: string;
  readonly remote = false;

  constructor(folder: string) {
    this.name = resolve(folder);
  }

  async readManifest(knownVersion: string | undefined): Promise<ManifestRead | undefined> {
    const path = join(this.name, MANIFEST_FILE);
    try {
      const { ino, mtimeMs, size } = await stat(path);
      const version = `${ino} ${mtimeMs} ${size}`;
      return version === knownVersion ? undefined : { bytes: await readFile(path), version };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
      const reason = isMissing ? `has no ${MANIFEST_FILE}: run npm run build` : message;
      throw new UnusableEditionError(`${this.name} ${reason}`, { cause: error });
    }
  }

  async readSignature(): Promise<Buffer | undefined> {
    const path = join(this.name, SIGNATURE_FILE);
    return readIfPresent(path).catch((cause: unknown) => {
      throw new UnusableEditionError(`${path} cannot be read`, { cause });
    });
  }

  locations({ file, size }: EditionFile): FileLocation[] {
    const path = pathInside(this.name, file);
    return [{ name: path, open: async () => chunksOf(path, size) }];
  }
}

/** Opens the file when the first chunk is read, because an earlier error would have no listener. */
async function* chunksOf(path: string, size: number): AsyncIterable<Buffer> {
  if (size <= WHOLE_BYTES) yield await readFile(path);
  else yield* createReadStream(path) as AsyncIterable<Buffer>;
}
