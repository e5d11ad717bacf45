/** Whole numbers collected one by one, without an object for each. */
export class GrowingArray {
  length = 0;
  #values = new Uint32Array(1 << 16);

  push(value: number): void {
    if (this.length === this.#values.length) {
      const wider = new Uint32Array(this.length * 2);
      wider.set(this.#values);
      this.#values = wider;
    }
    this.#values[this.length++] = value;
  }

  /** A copy in the smallest array that holds numbers below `limit`. */
  compact(limit: number): Uint16Array | Uint32Array {
    const used = this.#values.subarray(0, this.length);
    return limit <= 0x10000 ? Uint16Array.from(used) : used.slice();
  }
}
