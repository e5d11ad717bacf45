/** Keeps the values that were used last, up to a number of them. */
export class Lru<V> {
  readonly #most: number;
  /** Least recently used first. */
  readonly #values = new Map<string, V>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns the value of a key, made now if it is not kept. */
  get(key: string, make: () => V): V {
    const value = this.#values.get(key) ?? make();
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.#most) this.#values.delete(this.#values.keys().next().value!);
    return value;
  }
}
