/** Work that never runs concurrently. Any number of calls during a run lead to one more run. */
export class Coalesced<T> {
  readonly #work: () => Promise<T>;
  #running: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  /** @param work does not throw */
  constructor(work: () => Promise<T>) {
    this.#work = work;
  }

  /** Resolves after a run that began after this call. */
  run(): Promise<T> {
    if (this.#running) {
      this.#next ??= this.#running.then(() => {
        this.#next = undefined;
        return this.run();
      });
      return this.#next;
    }
    this.#running = this.#work().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }
}
