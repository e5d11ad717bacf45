import { buffer } from 'node:stream/consumers';
import * as yauzl from 'yauzl';
import { boundOf } from './bounds.ts';
import type { ExportFile } from './table.ts';

/** A zip archive whose entries are unpacked only when they are read. */
export class ZipArchive {
  readonly #name: string;
  readonly #zip: yauzl.ZipFile;
  readonly #entries: ReadonlyMap<string, yauzl.Entry>;

  private constructor(name: string, zip: yauzl.ZipFile, entries: Map<string, yauzl.Entry>) {
    this.#name = name;
    this.#zip = zip;
    this.#entries = entries;
  }

  /** Lists the entries of an archive. @throws in one line where it is broken */
  static async open(name: string, bytes: Buffer): Promise<ZipArchive> {
    try {
      const zip = await yauzl.fromBufferPromise(bytes, { autoClose: false });
      boundOf('entries', zip.entryCount, name);
      const entries = new Map<string, yauzl.Entry>();
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
      return new ZipArchive(name, zip, entries);
    } catch (error) {
      throw named(name, error);
    }
  }

  get names(): string[] {
    return [...this.#entries.keys()].filter((name) => !name.endsWith('/'));
  }

  /** Unpacks some entries. @throws in one line where they are broken, or too large together */
  async read(names: readonly string[]): Promise<ExportFile[]> {
    const files: ExportFile[] = [];
    let unpacked = 0;
    for (const entryName of names) {
      const entry = this.#entries.get(entryName)!;
      const name = `${this.#name}/${entryName}`;
      unpacked += entry.uncompressedSize;
      boundOf('bytes', unpacked, name);
      try {
        // yauzl stops at a file that unpacks to more than it states.
        const bytes = await buffer(await this.#zip.openReadStreamPromise(entry));
        files.push({ name: entryName, bytes });
      } catch (error) {
        throw named(name, error);
      }
    }
    return files;
  }
}

function named(name: string, error: unknown): Error {
  const { message } = error as Error;
  if (message.startsWith(`${name}: `)) return error as Error;
  return new Error(`${name}: the archive cannot be read: ${message}: pack it again, or unpack it`, {
    cause: error,
  });
}
