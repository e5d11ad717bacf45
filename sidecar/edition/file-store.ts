import { createReadStream, type ReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { strongETag, variantETag } from '../../src/edition/etag.ts';
import { dataHeaders } from '../../src/http.ts';
import {
  MANIFEST_FILE,
  pathInside,
  type Encoding,
  type Manifest,
  type Resource,
} from '../../src/edition/manifest.ts';
import { ATOM_TYPE, JSON_TYPE } from '../../src/paths.ts';
import type { HeaderPairs } from '../http/responses.ts';

/** Files up to this size are kept in memory once read; larger ones are streamed. */
const CACHED_FILE_BYTES = 512 * 1024;
const CACHE_BYTES = 32 * 1024 * 1024;

/** One representation of a resource, with every header of its answers worked out beforehand. */
export interface Representation {
  etag: string;
  file: string;
  size: number;
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

/** The files of one edition: which there are, their headers, their bytes. */
export class FileStore {
  readonly #folder: string;
  readonly #headerSets: Record<string, string>[];
  readonly #lastModified: string;
  readonly #resources: Map<string, Resource>;
  readonly #prepared = new Map<string, Prepared>();
  readonly #kept = new Map<string, Buffer>();
  readonly #cache = new Map<string, Buffer>();
  #cachedBytes = 0;

  /** @param manifestBytes edition.json cannot name itself, but is served like what it names */
  constructor(folder: string, manifest: Manifest, manifestBytes: Buffer) {
    const { 'content-type': type, ...headers } = dataHeaders(JSON_TYPE);
    const itself: Resource = {
      path: `/${MANIFEST_FILE}`,
      file: MANIFEST_FILE,
      type: type!,
      size: manifestBytes.length,
      etag: strongETag(manifestBytes),
      headers: manifest.header_sets.length,
      encodings: {},
    };
    this.#folder = folder;
    this.#headerSets = [...manifest.header_sets, headers];
    this.#lastModified = new Date(manifest.last_modified).toUTCString();
    this.#resources = new Map(
      [...manifest.resources, itself].map((resource) => [resource.path, resource]),
    );
    this.keep(MANIFEST_FILE, manifestBytes);
  }

  has(path: string): boolean {
    return this.#resources.has(path);
  }

  /** The resource at exactly this path. */
  get(path: string): Prepared | undefined {
    const known = this.#prepared.get(path);
    if (known) return known;
    const resource = this.#resources.get(path);
    if (!resource) return undefined;
    const prepared = this.#prepare(resource);
    this.#prepared.set(path, prepared);
    return prepared;
  }

  /** Holds bytes that are in memory anyway. */
  keep(file: string, bytes: Buffer): void {
    this.#kept.set(file, bytes);
  }

  /** The bytes of a file if they are in memory. */
  cached(file: string): Buffer | undefined {
    return this.#kept.get(file) ?? this.#cache.get(file);
  }

  /** The bytes of a file of ordinary size; undefined for a large one, which is streamed. */
  async read({ file, size }: Representation): Promise<Buffer | undefined> {
    if (size > CACHED_FILE_BYTES) return undefined;
    const bytes = await readFile(pathInside(this.#folder, file));
    if (this.#cachedBytes + size > CACHE_BYTES) {
      this.#cache.clear();
      this.#cachedBytes = 0;
    }
    if (!this.#cache.has(file)) {
      this.#cache.set(file, bytes);
      this.#cachedBytes += size;
    }
    return bytes;
  }

  /** @param range first and last byte, inclusive */
  stream({ file }: Representation, range?: { start: number; end: number }): ReadStream {
    return createReadStream(pathInside(this.#folder, file), range);
  }

  #prepare(resource: Resource): Prepared {
    const { file, size, etag, encodings } = resource;
    const encoded: Prepared['encoded'] = {};
    for (const encoding of Object.keys(encodings) as Encoding[]) {
      const variant = encodings[encoding]!;
      encoded[encoding] = this.#represent(
        resource,
        variant.file,
        variant.size,
        variantETag(etag, encoding),
        encoding,
      );
    }
    return { resource, identity: this.#represent(resource, file, size, etag), encoded };
  }

  #represent(
    { type, headers, encodings }: Resource,
    file: string,
    size: number,
    etag: string,
    encoding?: Encoding,
  ): Representation {
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
      etag,
      file,
      size,
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
