import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../base/log.ts';
import { isUnavailable, UnusableFileError } from '../store/faults.ts';

/** The hub's store cannot be asked at the moment. */
export class HubUnavailableError extends Error {
  override readonly name = 'HubUnavailableError';
}

const OPEN_RETRY_MS = 1_000;
/** A file is read from end to end each time, and only its operator can help. */
const FILE_RETRY_MS = 30_000;

export interface AvailabilityOptions {
  /** Makes the store ready; throws when it cannot be reached. */
  open: () => Promise<void>;
  logger: Logger;
}

/** Whether the store can be asked: it is opened in the background, may go away and come back. */
export class Availability {
  readonly #options: AvailabilityOptions;
  /** The first attempt; questions wait for it. */
  #opening: Promise<unknown> | undefined;
  #isOpen = false;
  /** The message that was logged last of a store that does not answer; none while it does. */
  #down: string | undefined;
  #stopped = false;

  constructor(options: AvailabilityOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Opens the store now, or throws what is in the way. */
  async open(): Promise<void> {
    await this.#options.open();
    this.#isOpen = true;
  }

  /** Opens it in the background, for as long as that takes. @param then follows, unless stopped */
  start(then: () => void): void {
    this.#opening = this.#tryToOpen();
    void this.#keepOpening(this.#opening, then);
  }

  stop(): void {
    this.#stopped = true;
  }

  /** @throws {HubUnavailableError} when it is not open or cannot be reached */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    await this.#opening;
    if (!this.#isOpen) throw new HubUnavailableError('the store is not open yet');
    try {
      return await question();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.onFault(error);
      throw new HubUnavailableError('the store cannot be reached', { cause: error });
    }
  }

  /** Whether the last attempt to write failed because of the store. */
  get isDown(): boolean {
    return this.#down !== undefined;
  }

  /** Logs an error of the store; that it is away is logged once, and so is why it cannot open. */
  onFault(error: unknown): void {
    const { logger } = this.#options;
    const { message } = error as Error;
    const isAway = isUnavailable(error) && !(error instanceof UnusableFileError);
    if (this.#isOpen && !isUnavailable(error)) return logger.log('error', 'hub failed', { error });
    if (this.#down === message || (isAway && this.isDown)) return;
    this.#down = message;
    if (isAway) logger.log('warn', 'the store cannot be reached', { error });
    else logger.log('error', 'the hub cannot work; everything else does', { error });
  }

  /** The store has taken a write. */
  onAnswer(): void {
    this.#down = undefined;
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
      this.onAnswer();
      return undefined;
    } catch (error) {
      this.onFault(error);
      return error;
    }
  }
}
