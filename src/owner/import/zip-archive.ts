import { buffer } from 'node:stream/consumers';
import * as yauzl from 'yauzl';
import { boundOf } from './bounds.ts';
import type { ExportFile } from './table.ts';

/** A zip archive whose entries are unpacked only when they are read. */
export interface ZipArchive {
  names: string[];
  /** Unpacks some entries. @throws in one line where they are broken, or too large together */
  read: (names: readonly string[]) => Promise<ExportFile[]>;
}

/** Lists the entries of an archive. @throws in one line where it is broken */
export async function openZip(name: string, bytes: Buffer): Promise<ZipArchive> {
  const entries = new Map<string, yauzl.Entry>();
  const zip = await orBroken(name, yauzl.fromBufferPromise(bytes, { autoClose: false }));
  boundOf('entries', zip.entryCount, name);
  const listed = zip.eachEntry();
  for (;;) {
    const { done, value } = await orBroken(name, listed.next());
    if (done) break;
    entries.set(value.fileName, value);
  }
  const read = async (names: readonly string[]) => {
    const files: ExportFile[] = [];
    let unpacked = 0;
    for (const entryName of names) {
      const entry = entries.get(entryName)!;
      const place = `${name}/${entryName}`;
      unpacked += entry.uncompressedSize;
      boundOf('bytes', unpacked, place);
      // yauzl stops at a file that unpacks to more than it states.
      const unzipped = zip.openReadStreamPromise(entry).then(buffer);
      files.push({ name: entryName, bytes: await orBroken(place, unzipped) });
    }
    return files;
  };
  return { names: [...entries.keys()].filter((entry) => !entry.endsWith('/')), read };
}

function orBroken<T>(place: string, opened: Promise<T>): Promise<T> {
  return opened.catch((error: Error) => {
    const words = `the archive cannot be read: ${error.message}: pack it again, or unpack it`;
    throw new Error(`${place}: ${words}`, { cause: error });
  });
}
