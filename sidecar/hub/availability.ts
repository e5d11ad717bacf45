import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../base/log.ts';
import { isUnavailable, UnusableFileError } from '../store/errors.ts';

/** The hub's store is unavailable at the moment. */
export class HubUnavailableError extends Error {
  override readonly name = 'HubUnavailableError';
}

const OPEN_RETRY_MS = 1_000;
/**
 * Rare, because each attempt reads the file from end to end, and only the operator can repair it.
 */
const FILE_RETRY_MS = 30_000;

/** Tracks if the store is available: it opens in the background, and may go down and come back. */
export class Availability {
  readonly #open: () => Promise<void>;
  readonly #logger: Logger;
  /** The first attempt; callers wait for it. */
  #opening: Promise<unknown> | undefined;
  #isOpen = false;
  /** The last message logged about an unavailable store; none while it is available. */
  #down: string | undefined;
  #stopped = false;

  /** @param open opens the store; throws if it is unreachable */
  constructor(open: () => Promise<void>, logger: Logger) {
    this.#open = open;
    this.#logger = logger;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Opens the store now, or throws. */
  async open(): Promise<void> {
    await this.#open();
    this.#isOpen = true;
  }

  /**
   * Opens it in the background, for as long as that takes.
   *
   * @param then runs afterwards, unless stopped
   */
  start(then: () => void): void {
    this.#opening = this.#tryToOpen();
    void this.#keepOpening(this.#opening, then);
  }

  stop(): void {
    this.#stopped = true;
  }

  /** @throws {HubUnavailableError} if it is not open or unreachable */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    await this.#opening;
    if (!this.#isOpen) throw new HubUnavailableError('the store is not open yet');
    try {
      return await question();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.onError(error);
      throw new HubUnavailableError('the store cannot be reached', { cause: error });
    }
  }

  /** True if the last write failed because of the store. */
  get isDown(): boolean {
    return this.#down !== undefined;
  }

  /** Logs an error of the store, but only once that it is down or why it cannot be opened. */
  onError(error: unknown): void {
    const { message } = error as Error;
    const isAway = isUnavailable(error) && !(error instanceof UnusableFileError);
    const log = this.#logger.log.bind(this.#logger);
    if (this.#isOpen && !isUnavailable(error)) return log('error', 'hub failed', { error });
    if (this.#down === message || (isAway && this.isDown)) return;
    this.#down = message;
    if (isAway) log('warn', 'the store cannot be reached', { error });
    else log('error', 'the hub cannot work; everything else does', { error });
  }

  /** Runs work that writes; an error is logged. */
  async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#down = undefined;
    } catch (error) {
      this.onError(error);
    }
  }

  async #keepOpening(firstAttempt: Promise<unknown>, then: () => void): Promise<void> {
    let error = await firstAttempt;
    while (!this.#isOpen && !this.#stopped) {
      await delay(error instanceof UnusableFileError ? FILE_RETRY_MS : OPEN_RETRY_MS, undefined, {
        ref: false,
      });
      error = await this.#tryToOpen();
    }
    if (!this.#stopped) then();
  }

  /** @returns the error of an attempt that failed */
  async #tryToOpen(): Promise<unknown> {
    try {
      await this.open();
      this.#down = undefined;
      return undefined;
    } catch (error) {
      this.onError(error);
      return error;
    }
  }
}
