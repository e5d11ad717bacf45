/** Work that runs once at a time; asked for meanwhile, it runs once more, however often asked. */
export class Coalesced {
  readonly #work: () => Promise<void>;
  #running: Promise<void> | undefined;
  #again = false;

  /** @param work does not throw */
  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Resolves when work that began after this call is done. */
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
