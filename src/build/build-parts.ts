/** A build that takes longer, in seconds, says what took the time. */
const LONG = 10;

/** Measures the parts of a build, which follow one another. */
export class BuildParts {
  readonly #now: () => number;
  readonly #seconds: [part: string, seconds: number][] = [];
  #last: number;

  /** @param now returns milliseconds */
  constructor(now = () => performance.now()) {
    this.#now = now;
    this.#last = now();
  }

  /** Ends a part, and begins the next. */
  end(part: string): void {
    const now = this.#now();
    this.#seconds.push([part, (now - this.#last) / 1000]);
    this.#last = now;
  }

  /** Returns the seconds of the build, and those of its parts if it was long. */
  describe(): string {
    const all = this.#seconds.reduce((sum, [, seconds]) => sum + seconds, 0);
    const parts = this.#seconds.map(([part, seconds]) => `${part} ${Math.round(seconds)}`);
    return `${Math.round(all)} s${all > LONG ? ` (${parts.join(', ')})` : ''}`;
  }
}
