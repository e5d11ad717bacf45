/** A result that is written as bytes by itself: what is JSON already does not become objects. */
export interface EncodedResult {
  /** @param open what comes before the first member @param close what comes after the last */
  encode(open: string, close: string): Buffer;
}

/** A result; an encoded one has one member at least. */
export type Result = EncodedResult | Record<string, unknown>;

export function isEncoded(result: Result): result is EncodedResult {
  return typeof result.encode === 'function';
}

/** A result that is the same every time. */
export class FixedResult implements EncodedResult {
  readonly #members: string;

  constructor(result: object) {
    this.#members = JSON.stringify(result).slice(1, -1);
  }

  encode(open: string, close: string): Buffer {
    return Buffer.from(open + this.#members + close);
  }
}
