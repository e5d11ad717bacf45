import type { Logger } from '../base/log.ts';
import { isUnavailable, UnusableFileError } from '../store/errors.ts';

/** The hub's store is unavailable at the moment. */
export class HubUnavailableError extends Error {
  override readonly name = 'HubUnavailableError';
}

/**
 * Rare, because each attempt reads the file from end to end, and only the operator can repair it.
 */
const FILE_RETRY_MS = 30_000;

/** Tracks if the store is available: it may open late, go down and come back. */
export class Availability {
  readonly #open: () => Promise<void>;
  readonly #logger: Logger;
  /** The first attempt; callers wait for it. */
  #first: Promise<void> | undefined;
  #opening: Promise<void> | undefined;
  #opensAgainAt = 0;
  #isOpen = false;
  /** The last message logged about an unavailable store; none while it is available. */
  #down: string | undefined;

  /** @param open opens the store; throws if it is unreachable */
  constructor(open: () => Promise<void>, logger: Logger) {
    this.#open = open;
    this.#logger = logger;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** True if the last write failed because of the store. */
  get isDown(): boolean {
    return this.#down !== undefined;
  }

  /** Opens the store now, or throws. */
  async open(): Promise<void> {
    await this.#open();
    this.#isOpen = true;
  }

  /** Opens the store unless it is open; an error is logged. */
  async tryToOpen(): Promise<void> {
    if (this.#isOpen || performance.now() < this.#opensAgainAt) return;
    this.#opening ??= this.attempt(() => this.open());
    this.#first ??= this.#opening;
    await this.#opening;
    this.#opening = undefined;
  }

  /** @throws {HubUnavailableError} if it is not open or unreachable */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    await this.#first;
    if (!this.#isOpen) throw new HubUnavailableError('the store is not open yet');
    try {
      return await question();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.#onError(error);
      throw new HubUnavailableError('the store cannot be reached', { cause: error });
    }
  }

  /** Runs work that writes; an error is logged. */
  async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#down = undefined;
    } catch (error) {
      this.#onError(error);
    }
  }

  /** Logs an error of the store, but only once that it is down or why it cannot be opened. */
  #onError(error: unknown): void {
    const { message } = error as Error;
    const isUnusable = error instanceof UnusableFileError;
    const isAway = isUnavailable(error) && !isUnusable;
    if (isUnusable) this.#opensAgainAt = performance.now() + FILE_RETRY_MS;
    const log = this.#logger.log.bind(this.#logger);
    if (this.#isOpen && !isUnavailable(error)) return log('error', 'hub failed', { error });
    if (this.#down === message || (isAway && this.isDown)) return;
    this.#down = message;
    if (isAway) log('warn', 'the store cannot be reached', { error });
    else log('error', 'the hub cannot work; everything else does', { error });
  }
}
