import type { FileStore } from './file-store.ts';

const NEWLINE = 10;

/**
 * Finds the lines of a file of an edition. The file stays on the disk: only the places of its lines
 * are kept, and pieces are read while other requests are served.
 */
export class FileLines {
  readonly #files: FileStore;
  readonly #path: string;
  /** The beginning of each line, and the end of the last one that has a line break. */
  readonly #starts: number[] = [0];

  private constructor(files: FileStore, path: string) {
    this.#files = files;
    this.#path = path;
  }

  /**
   * Reads a file once.
   *
   * @param visit called with each line that ends with a line break
   *
   * @throws {DamagedFileError}
   */
  static async scan(
    files: FileStore,
    path: string,
    visit?: (line: Buffer, at: number) => void,
  ): Promise<FileLines> {
    const lines = new FileLines(files, path);
    const starts = lines.#starts;
    let done = 0;
    let rest: Buffer[] = [];
    for await (const piece of await files.stream(files.get(path)!.identity)) {
      const bytes = piece as Buffer;
      let from = 0;
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
        if (visit) {
          const part = bytes.subarray(from, end);
          visit(rest.length > 0 ? Buffer.concat([...rest, part]) : part, starts.length - 1);
          rest = [];
        }
        from = end + 1;
        starts.push(done + from);
      }
      if (visit) rest.push(bytes.subarray(from));
      done += bytes.length;
    }
    return lines;
  }

  /** Number of lines that end with a line break. */
  get count(): number {
    return this.#starts.length - 1;
  }

  /** Reads a line, without its line break. @throws {DamagedFileError} */
  async read(at: number): Promise<string> {
    const file = this.#files.get(this.#path)!.identity;
    const range = { start: this.#starts[at]!, end: this.#starts[at + 1]! - 2 };
    const pieces: Buffer[] = [];
    for await (const piece of await this.#files.stream(file, range)) pieces.push(piece as Buffer);
    return Buffer.concat(pieces).toString();
  }
}
