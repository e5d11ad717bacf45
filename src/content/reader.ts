import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { decode } from './decode.ts';
import { codePointName, invisibleCharacters } from '../schema/invisible.ts';
import type { Fault } from './fault.ts';

/** From this many reviews on, work is long enough to say what it is doing. */
const PROGRESS_FROM = 5_000;

/** One pass over a content folder: reads its files and collects every fault on the way. */
export class Reader {
  readonly faults: Fault[] = [];
  readonly #root: string;
  readonly #report: (line: string) => void;

  constructor(root: string, report: (line: string) => void) {
    this.#root = root;
    this.#report = report;
  }

  /** A path inside the folder, as messages show it. */
  shown(path: string): string {
    return `${basename(this.#root)}/${path}`;
  }

  fault(path: string, line: number, field: string, reason: string, value?: unknown): void {
    const fault = { file: this.shown(path), line, field, reason };
    this.faults.push(value === undefined ? fault : { ...fault, value });
  }

  /** Takes over faults that were found elsewhere, however many. */
  report(faults: readonly Fault[]): void {
    for (const fault of faults) this.faults.push(fault);
  }

  progress(line: string, reviews: number): void {
    if (reviews >= PROGRESS_FROM) this.#report(line);
  }

  /**
   * The names in a folder that end with an extension, sorted; none when there is no such folder,
   * undefined with a fault when it cannot be read.
   */
  async list(folder: string, extension = ''): Promise<string[] | undefined> {
    try {
      const names = await readdir(join(this.#root, folder));
      return names.filter((name) => name.endsWith(extension)).sort();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return [];
      this.fault(folder, 0, '', `cannot be read: ${code}`);
      return undefined;
    }
  }

  /** The text of a file; undefined with a fault when it cannot be read. */
  async text(path: string, options: { optional?: boolean } = {}): Promise<string | undefined> {
    let bytes: Uint8Array;
    try {
      bytes = await readFile(join(this.#root, path));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') this.fault(path, 0, '', `cannot be read: ${code}`);
      else if (!options.optional) this.fault(path, 0, '', 'is missing');
      return undefined;
    }
    const decoded = decode(bytes, this.shown(path));
    if ('text' in decoded) {
      if (path.endsWith('.md')) this.#reportInvisible(path, decoded.text);
      return decoded.text;
    }
    this.faults.push(decoded.fault);
    return undefined;
  }

  /** Schemas check the strings of JSON files; Markdown has none. */
  #reportInvisible(path: string, text: string): void {
    const lines = text.replaceAll('\r\n', '\n');
    for (const { index, character } of invisibleCharacters(lines)) {
      const line = lines.slice(0, index).split('\n').length;
      this.fault(
        path,
        line,
        '',
        `has the invisible character ${codePointName(character)}: delete it`,
      );
    }
  }
}
