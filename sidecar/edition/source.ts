import type { Manifest } from '../../src/edition/manifest.ts';

/** One file that edition.json names: a resource as it is, or an encoded variant of it. */
export interface EditionFile {
  /** URL path of the resource. */
  path: string;
  /** Path inside the edition folder. */
  file: string;
  size: number;
  /** sha-256 of the bytes, base64url. */
  digest: string;
  /** Of a variant. */
  encoding?: string;
}

export interface ManifestRead {
  bytes: Buffer;
  /** Tells these bytes from others without reading them; undefined where the place has no means. */
  version: string | undefined;
}

/** Where editions come from. What it hands out is not to be believed before it is verified. */
export interface EditionSource {
  /** For logs, and to tell sources apart; carries no credentials. */
  readonly name: string;
  /** Whether looking at it can take long. */
  readonly remote: boolean;
  /**
   * edition.json; undefined while it is still of the version given.
   *
   * @throws {IncompleteEditionError} when there is none to be had
   */
  readManifest(knownVersion: string | undefined): Promise<ManifestRead | undefined>;
  /** @throws {IncompleteEditionError} when the file is not there, or not of the size it should be */
  read(file: EditionFile, signal: AbortSignal): Promise<Buffer>;
}

/** All files of an edition, in the order of the manifest. */
export function editionFiles({ resources }: Manifest): EditionFile[] {
  return resources.flatMap(({ path, file, size, etag, encodings }) => [
    { path, file, size, digest: etag.slice(1, -1) },
    ...Object.entries(encodings).map(([encoding, variant]) => ({
      path,
      file: variant.file,
      size: variant.size,
      digest: variant.sha256,
      encoding,
    })),
  ]);
}
