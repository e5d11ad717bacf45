import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../base/log.ts';
import { isUnavailable } from '../store/faults.ts';

/** The hub's store cannot be asked at the moment. */
export class HubUnavailableError extends Error {
  override readonly name = 'HubUnavailableError';
}

const OPEN_RETRY_MS = 1_000;

export interface AvailabilityOptions {
  /** Makes the store ready; throws when it cannot be reached. */
  open: () => Promise<void>;
  logger: Logger;
}

/** Whether the store can be asked: it is opened in the background, may go away and come back. */
export class Availability {
  readonly #options: AvailabilityOptions;
  /** The first attempt; questions wait for it. */
  #opening: Promise<void> | undefined;
  #isOpen = false;
  #isDown = false;
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

  /** Logs a fault; that the store is away is said once. */
  onFault(error: unknown): void {
    const { logger } = this.#options;
    if (!isUnavailable(error)) return logger.log('error', 'hub failed', { error });
    if (!this.#isDown) logger.log('warn', 'the store cannot be reached', { error });
    this.#isDown = true;
  }

  /** It answered. */
  onAnswer(): void {
    this.#isDown = false;
  }

  async #keepOpening(firstAttempt: Promise<void>, then: () => void): Promise<void> {
    await firstAttempt;
    while (!this.#isOpen && !this.#stopped) {
      await delay(OPEN_RETRY_MS);
      await this.#tryToOpen();
    }
    if (!this.#stopped) then();
  }

  async #tryToOpen(): Promise<void> {
    try {
      await this.open();
    } catch (error) {
      this.onFault(error);
    }
  }
}
