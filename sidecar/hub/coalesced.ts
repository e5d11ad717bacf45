/** Work that never runs concurrently. Any number of calls during a run lead to one more run. */
export class Coalesced {
  readonly #work: () => Promise<void>;
  #running: Promise<void> | undefined;
  #again = false;

  /** @param work does not throw */
  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Resolves after a run that began after this call. */
  run(): Promise<void> {
    if (this.#running) this.#again = true;
    else this.#running = this.#repeat();
    return this.#running;
  }

  async #repeat(): Promise<void> {
    do {
      this.#again = false;
      await this.#work();
    } while (this.#again);
    this.#running = undefined;
  }
}
