import type { Logger } from '../base/log.ts';
import { isUnavailable, RefusedStoreError, UnusableFileError } from '../store/errors.ts';

/** The hub's store is unavailable at the moment. */
export class HubUnavailableError extends Error {
  override readonly name = 'HubUnavailableError';
}

const AWAY = 'the store cannot be reached';
/** Long, because an attempt may read the file from end to end, and only the operator can repair it. */
const OPERATOR_RETRY_MS = 30_000;

/** Tracks if the store is available: it may open late, go down and come back. */
export class Availability {
  readonly #open: () => Promise<void>;
  readonly #logger: Logger;
  /** The attempt that is running or succeeded. */
  #opening: Promise<void> | undefined;
  /** The last error logged, until something succeeds. */
  #last: string | undefined;

  /** @param open opens the store; throws if it cannot */
  constructor(open: () => Promise<void>, logger: Logger) {
    this.#open = open;
    this.#logger = logger;
  }

  /** True if the last write failed because of the store. */
  get isDown(): boolean {
    return this.#last === AWAY;
  }

  /** Opens the store, unless it is open, or throws. */
  async open(): Promise<void> {
    this.#opening ??= this.#open().catch((error) => {
      const isLasting = error instanceof UnusableFileError || error instanceof RefusedStoreError;
      const retryMs = isLasting ? OPERATOR_RETRY_MS : 0;
      setTimeout(() => (this.#opening = undefined), retryMs).unref();
      throw error;
    });
    await this.#opening;
  }

  /** @throws {HubUnavailableError} if the store is not open or unreachable */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    await this.open().catch((cause) => {
      throw new HubUnavailableError(reasonOf(cause), { cause });
    });
    try {
      return await question();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.note(error);
      throw new HubUnavailableError(AWAY, { cause: error });
    }
  }

  /** Runs work that writes; an error is noted. */
  async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#last = undefined;
    } catch (error) {
      this.note(error);
    }
  }

  /** Logs an error, unless it was the last one. */
  note(error: unknown): void {
    const isAway = reasonOf(error) === AWAY;
    const what = isAway ? AWAY : (error as Error).message;
    if (what === this.#last) return;
    this.#last = what;
    if (isAway) this.#logger.log('warn', what, { error });
    else this.#logger.log('error', 'the hub failed; everything else works', { error });
  }
}

/** Returns why the store cannot be used, without addresses and paths, which only the log may have. */
function reasonOf(error: unknown): string {
  if (error instanceof RefusedStoreError) return error.message;
  if (error instanceof UnusableFileError)
    return 'the file of the store cannot be used: see the log';
  return isUnavailable(error) ? AWAY : 'the store cannot be opened: see the log';
}
