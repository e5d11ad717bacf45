import { Lru } from '../../src/search/lru.ts';

/** A view of memory that does not prevent its collection. */
interface Held {
  memory: WeakRef<ArrayBufferLike>;
  offset: number;
  length: number;
}

/**
 * Keeps the most recently used files, up to a number of bytes. A file that a slow response still
 * holds is found instead of read again, so there is never more than one copy of it.
 */
export class FileCache {
  readonly #recent: Lru<Buffer>;
  readonly #held = new Map<string, Held>();
  readonly #loading = new Map<string, Promise<Buffer>>();

  constructor(maxBytes: number) {
    this.#recent = new Lru(maxBytes, ({ length }) => length);
  }

  get(name: string): Buffer | undefined {
    const recent = this.#recent.find(name);
    if (recent) return recent;
    const held = this.#held.get(name);
    const memory = held?.memory.deref();
    if (!held || !memory) return undefined;
    const bytes = Buffer.from(memory, held.offset, held.length);
    this.#recent.keep(name, bytes);
    return bytes;
  }

  /** Returns a file from memory, or reads it; concurrent calls share one read. */
  async load(name: string, read: () => Promise<Buffer>): Promise<Buffer> {
    const known = this.get(name);
    if (known) return known;
    let loading = this.#loading.get(name);
    if (!loading) {
      loading = read()
        .then((bytes) => {
          const { buffer, byteOffset: offset, length } = bytes;
          this.#held.set(name, { memory: new WeakRef(buffer), offset, length });
          this.#recent.keep(name, bytes);
          return bytes;
        })
        .finally(() => this.#loading.delete(name));
      this.#loading.set(name, loading);
    }
    return loading;
  }
}
