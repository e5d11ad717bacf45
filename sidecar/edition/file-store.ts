import type { ReadStream } from 'node:fs';
import { variantETag } from '../../src/edition/conditional.ts';
import type { HeaderPairs } from '../../src/http.ts';
import {
  MANIFEST_FILE,
  withItself,
  type Encoding,
  type Resource,
} from '../../src/edition/manifest.ts';
import { SIGNATURE_FILE } from '../../src/edition/signature.ts';
import { ATOM_TYPE } from '../../src/paths.ts';
import { keptWith, Lru } from '../../src/base/kept.ts';
import type { AdoptedEdition } from './adopt.ts';
import { filesOf, type EditionFile } from './source.ts';
import type { VerifiedFiles } from './verified-files.ts';

/** Size of the pieces of a streamed file. */
const PIECE_BYTES = 256 * 1024;

/** One representation of a resource, with the headers of its responses. */
export interface Representation extends EditionFile {
  etag: string;
  /** Headers of a 200. */
  headers: HeaderPairs;
  /** Headers of a 304 (RFC 9110, section 15.4.5). */
  notModified: HeaderPairs;
}

export interface Prepared {
  resource: Resource;
  identity: Representation;
  encoded: Partial<Record<Encoding, Representation>>;
}

/**
 * Files in memory by their digest, those that were used last. All editions share it, because most files of
 * a new one are those of the one before.
 */
export type FileCache = Lru<Buffer>;

/** @param capacity bytes of all files together */
export const fileCache = (capacity = 64_000_000): FileCache =>
  new Lru(capacity, ({ length }) => length);

/** Finds the files of an edition, with their headers and bytes. */
export class FileStore {
  readonly #onDisk: VerifiedFiles;
  readonly #headerSets: Record<string, string>[];
  readonly #lastModified: string;
  readonly #resources: Map<string, Resource>;
  readonly #prepared = keptWith((resource: Resource) => this.#prepare(resource));
  readonly #kept = new Map<string, Buffer>();
  readonly #cache: FileCache;
  readonly #loading = new Map<string, Promise<Buffer>>();

  /**
   * Serves edition.json and its signature too, like the files that it describes.
   *
   * @param cache a file that is larger than it is streamed
   */
  constructor(
    { manifest, manifestBytes, signatureBytes }: Omit<AdoptedEdition, 'digest' | 'folder'>,
    onDisk: VerifiedFiles,
    cache = fileCache(),
  ) {
    const { header_sets: headerSets, resources } = withItself(
      manifest,
      manifestBytes,
      signatureBytes,
    );
    this.#onDisk = onDisk;
    this.#cache = cache;
    this.#headerSets = headerSets;
    this.#lastModified = new Date(manifest.last_modified).toUTCString();
    this.#resources = new Map(resources.map((resource) => [resource.path, resource]));
    this.keep(MANIFEST_FILE, manifestBytes);
    if (signatureBytes) this.keep(SIGNATURE_FILE, signatureBytes);
  }

  has(path: string): boolean {
    return this.#resources.has(path);
  }

  /** Returns the resource at exactly this path. */
  get(path: string): Prepared | undefined {
    const resource = this.#resources.get(path);
    return resource && this.#prepared(resource);
  }

  /** Number of files that are damaged and could not be fetched again. */
  get lost(): number {
    return this.#onDisk.lost;
  }

  /** Keeps the bytes of a file in memory for good. */
  keep(file: string, bytes: Buffer): void {
    this.#kept.set(file, bytes);
  }

  /**
   * Reads a resource and keeps its bytes for good; returns undefined if the edition has none.
   *
   * @throws {DamagedFileError}
   */
  async hold(path: string): Promise<Buffer | undefined> {
    const own = this.get(path)?.identity;
    const bytes = own && (await this.#onDisk.read(own));
    if (bytes) this.keep(own.file, bytes);
    return bytes;
  }

  /** Returns the bytes of a file if they are in memory. */
  cached({ file, digest }: EditionFile): Buffer | undefined {
    return this.#kept.get(file) ?? this.#cache.find(digest);
  }

  /** Tells whether a file is too large to be read into memory. */
  isStreamed({ size }: Representation): boolean {
    return size > this.#cache.capacity;
  }

  /**
   * Opens a file as a stream.
   *
   * @param range first and last byte, inclusive
   *
   * @throws {DamagedFileError}
   */
  async stream(file: Representation, range?: { start: number; end: number }): Promise<ReadStream> {
    return (await this.#onDisk.open(file)).createReadStream({
      ...range,
      highWaterMark: PIECE_BYTES,
    });
  }

  /**
   * Reads a file into memory, whatever its size; concurrent calls share one read.
   *
   * @throws {DamagedFileError}
   */
  async bytes(chosen: Representation): Promise<Buffer> {
    const { file } = chosen;
    const known = this.cached(chosen) ?? this.#loading.get(file);
    if (known) return known;
    const loading = this.#load(chosen).finally(() => this.#loading.delete(file));
    this.#loading.set(file, loading);
    return loading;
  }

  async #load(chosen: Representation): Promise<Buffer> {
    const bytes = await this.#onDisk.read(chosen);
    this.#cache.keep(chosen.digest, bytes);
    return bytes;
  }

  #prepare(resource: Resource): Prepared {
    const [own, ...variants] = filesOf(resource);
    const encoded: Prepared['encoded'] = {};
    for (const variant of variants) {
      encoded[variant.encoding!] = this.#represent(resource, variant);
    }
    return { resource, identity: this.#represent(resource, own), encoded };
  }

  #represent(resource: Resource, file: EditionFile): Representation {
    const { type, headers, encodings } = resource;
    const { size, encoding } = file;
    const etag = encoding ? variantETag(resource.etag, encoding) : resource.etag;
    const validators: HeaderPairs = [
      ['etag', etag],
      ['last-modified', this.#lastModified],
    ];
    const varies = [
      ...(Object.keys(encodings).length > 0 ? ['Accept-Encoding'] : []),
      ...(type === ATOM_TYPE ? ['Sec-Fetch-Dest'] : []),
    ];
    if (varies.length > 0) validators.push(['vary', varies.join(', ')]);
    const stated = Object.entries(this.#headerSets[headers]!);
    return {
      ...file,
      etag,
      notModified: [...validators, ...stated],
      headers: [
        ['content-type', type],
        ['content-length', String(size)],
        ...(encoding ? ([['content-encoding', encoding]] as HeaderPairs) : []),
        ['accept-ranges', 'bytes'],
        ...validators,
        ...stated,
      ],
    };
  }
}
