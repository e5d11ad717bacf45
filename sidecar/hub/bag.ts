/** Items without duplicates, taken in random order. Each step takes constant time. */
export class Bag<T> {
  readonly #random: () => number;
  readonly #items: T[] = [];
  readonly #places = new Map<T, number>();

  /** @param random returns a number from 0 to 1 */
  constructor(random: () => number) {
    this.#random = random;
  }

  get size(): number {
    return this.#items.length;
  }

  /** Adds an item, unless it is there. */
  add(item: T): void {
    if (this.#places.has(item)) return;
    this.#places.set(item, this.#items.length);
    this.#items.push(item);
  }

  /** Removes and returns one, if there is any. */
  take(): T | undefined {
    const item = this.#items[Math.floor(this.#random() * this.size)];
    if (item !== undefined) this.delete(item);
    return item;
  }

  /** @returns true if it was there */
  delete(item: T): boolean {
    const place = this.#places.get(item);
    if (place === undefined) return false;
    const last = this.#items.pop()!;
    if (last !== item) {
      this.#items[place] = last;
      this.#places.set(last, place);
    }
    return this.#places.delete(item);
  }
}
