/** Keeps the values that were used last, as long as they cost no more than its capacity together. */
export class Lru<V> {
  readonly capacity: number;
  readonly #costOf: (value: V, key: string) => number;
  /** Least recently used first. */
  readonly #values = new Map<string, V>();
  #cost = 0;

  /** @param costOf 1 by default. The cost of a value must not change, nor be 0, or any number of keys stays */
  constructor(capacity: number, costOf: (value: V, key: string) => number = () => 1) {
    this.capacity = capacity;
    this.#costOf = costOf;
  }

  find(key: string): V | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) {
      this.#values.delete(key);
      this.#values.set(key, value);
    }
    return value;
  }

  /** Keeps a value, unless it alone costs too much or another one is kept. */
  keep(key: string, value: V): void {
    const cost = this.#costOf(value, key);
    if (cost > this.capacity || this.#values.has(key)) return;
    this.#values.set(key, value);
    this.#cost += cost;
    for (const [oldest, value] of this.#values) {
      if (this.#cost <= this.capacity) return;
      this.#values.delete(oldest);
      this.#cost -= this.#costOf(value, oldest);
    }
  }

  /** Returns the value of a key, made now if it is not kept. */
  get(key: string, make: () => V): V {
    const kept = this.find(key);
    if (kept !== undefined) return kept;
    const value = make();
    this.keep(key, value);
    return value;
  }
}

/** Returns a function that keeps its result for as long as its argument lives. */
export function keptWith<Source extends object, T>(make: (source: Source) => T) {
  const made = new WeakMap<Source, T>();
  return (source: Source): T => {
    let result = made.get(source);
    if (result === undefined) made.set(source, (result = make(source)));
    return result;
  };
}
