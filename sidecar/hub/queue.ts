/**
 * A queue without duplicates that an item in the middle can leave. Each step takes constant time,
 * unlike that of an array, or of a Set, which goes through the gaps at its beginning.
 */
export class Queue<T> {
  readonly #items = new Map<number, T>();
  readonly #places = new Map<T, number>();
  #first = 0;
  #next = 0;

  get size(): number {
    return this.#items.size;
  }

  /** The item that is next, if any. */
  get first(): T | undefined {
    if (this.size === 0) return undefined;
    while (!this.#items.has(this.#first)) this.#first++;
    return this.#items.get(this.#first);
  }

  /** Adds an item at the end, unless it is there. */
  push(item: T): void {
    if (this.#places.has(item)) return;
    this.#places.set(item, this.#next);
    this.#items.set(this.#next++, item);
  }

  /** Removes the first items, at most `most`. */
  *take(most: number): Generator<T> {
    for (let left = most; left > 0 && this.size > 0; left--) {
      const item = this.first!;
      this.delete(item);
      yield item;
    }
  }

  /** @returns true if it was there */
  delete(item: T): boolean {
    const place = this.#places.get(item);
    if (place === undefined) return false;
    this.#items.delete(place);
    return this.#places.delete(item);
  }
}
