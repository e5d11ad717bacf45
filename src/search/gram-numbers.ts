/** A gram is a piece of one to three UTF-16 units. */
export const LONGEST_GRAM = 3;

/** No gram: one of a single unit begins with no other. */
export const NONE = -1;

const FIRST_SLOTS = 1 << 12;

/**
 * Numbers grams in the order in which they are first seen. A hash table of plain numbers: a Map of
 * strings takes several times as long, and every unit of every text is looked up here.
 */
export class GramNumbers {
  /** The first two units of each gram by number, and its third one with its length. */
  #heads = new Uint32Array(FIRST_SLOTS / 2);
  #tails = new Uint32Array(FIRST_SLOTS / 2);
  /** Number of a gram + 1; 0 is free. Its length is a power of two, at least twice the grams. */
  #slots = new Uint32Array(FIRST_SLOTS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns the number of the gram at a place of a text; {@link NONE} if it is unknown. */
  find(text: string, at: number, length: number): number {
    const head = headOf(text, at, length);
    const tail = tailOf(text, at, length);
    return this.#slots[this.#slotOf(head, tail)]! - 1;
  }

  /** Returns the number of the gram at a place of a text, the next one if it is new. */
  add(text: string, at: number, length: number): number {
    const head = headOf(text, at, length);
    const tail = tailOf(text, at, length);
    const slot = this.#slotOf(head, tail);
    if (this.#slots[slot]! > 0) return this.#slots[slot]! - 1;
    const number = this.#size++;
    this.#heads[number] = head;
    this.#tails[number] = tail;
    this.#slots[slot] = number + 1;
    if (this.#size === this.#heads.length) this.#grow();
    return number;
  }

  #slotOf(head: number, tail: number): number {
    const slots = this.#slots;
    const last = slots.length - 1;
    const mixed = Math.imul(Math.imul(head, 0x9e3779b1) ^ tail, 0x85ebca6b);
    let slot = (mixed ^ (mixed >>> 15)) & last;
    for (; slots[slot] !== 0; slot = (slot + 1) & last) {
      const number = slots[slot]! - 1;
      if (this.#heads[number] === head && this.#tails[number] === tail) break;
    }
    return slot;
  }

  #grow(): void {
    const [heads, tails] = [this.#heads, this.#tails];
    this.#heads = new Uint32Array(heads.length * 2);
    this.#tails = new Uint32Array(heads.length * 2);
    this.#heads.set(heads);
    this.#tails.set(tails);
    this.#slots = new Uint32Array(heads.length * 4);
    for (let number = 0; number < heads.length; number++) {
      this.#slots[this.#slotOf(heads[number]!, tails[number]!)] = number + 1;
    }
  }
}

function headOf(text: string, at: number, length: number): number {
  const first = text.charCodeAt(at);
  return length === 1 ? first : (first | (text.charCodeAt(at + 1) << 16)) >>> 0;
}

function tailOf(text: string, at: number, length: number): number {
  return length < LONGEST_GRAM ? length << 16 : text.charCodeAt(at + 2) | (length << 16);
}
