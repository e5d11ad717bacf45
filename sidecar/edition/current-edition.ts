import { coalesced } from '../base/coalesced.ts';
import type { Edition } from './edition.ts';
import { openLastGood, takeEdition, type LoaderOptions, type Served } from './edition-loader.ts';
import { fileCache } from './file-store.ts';
import { UnusableEditionError } from './source.ts';

/** Result of a check of the source; after `failed` the last edition is still served. */
type RefreshOutcome = 'unchanged' | 'adopted' | 'failed';

/** Wait after a failed check, for instance of an incomplete upload; doubled after each one. */
const FIRST_RETRY_MS = 2_000;

/** Holds the edition that is served and replaces it by a newer one. */
export class CurrentEdition {
  #served: Served;
  readonly #refreshing = coalesced(async () => {
    const outcome = await this.#refresh();
    this.#onChecked();
    this.#schedule();
    return outcome;
  });
  /** Times in milliseconds since 1970. */
  #last: { outcome: RefreshOutcome; at: number } = { outcome: 'adopted', at: Date.now() };
  #succeeded = this.#last.at;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #refreshMs: number | undefined;
  #onChecked = (): void => {};
  readonly #options: LoaderOptions;

  private constructor(options: LoaderOptions, served: Served) {
    this.#options = options;
    this.#served = served;
  }

  /**
   * Opens the edition of the source, or the last good one if that fails. If the source is remote,
   * the last good one is opened at once, and {@link watch} then checks the source.
   *
   * @param options are given a cache if they have none
   * @throws if there is neither
   */
  static async open(options: LoaderOptions): Promise<CurrentEdition> {
    options.cache ??= fileCache();
    const { source, logger } = options;
    const lastGood = source.remote ? await openLastGood(options) : undefined;
    const served =
      lastGood ??
      (await takeEdition(options).catch(async (error: unknown) => {
        const last = await openLastGood(options);
        if (!last) throw error;
        logger.log('warn', 'no edition at the source, the last good one is served', { error });
        return last;
      }));
    return new CurrentEdition(options, served);
  }

  get(): Edition {
    return this.#served.edition;
  }

  /**
   * Returns the edition's part of /readyz. A look at the source last succeeded, or the process
   * started, `seconds_since_success` ago. An old edition is still served, so its age is reported
   * but does not take the process out of service; a file that cannot be served does, and so does a
   * signature that has expired.
   *
   * @param now milliseconds since 1970
   */
  check(now: number) {
    const { manifest, lastModified, files } = this.get();
    const { outcome, at } = this.#last;
    const signature = this.#options.policy?.check(this.#served.signature!);
    return {
      ok: files.lost === 0 && !signature?.expired,
      edition: manifest.edition,
      age_seconds: Math.round(now / 1000 - lastModified),
      last_refresh: { outcome, seconds_ago: Math.round((now - at) / 1000) },
      seconds_since_success: Math.round((now - this.#succeeded) / 1000),
      damaged_files: files.lost,
      ...signature,
    };
  }

  /**
   * Checks the source and swaps in a new edition if it is complete. A check in progress may have
   * missed a change the caller knows of, so another one follows it.
   */
  refresh(): Promise<RefreshOutcome> {
    return this.#refreshing();
  }

  /**
   * Checks the source now and then every `refreshMs`, sooner after a failed check.
   *
   * @param onChecked called after each check, whatever its outcome
   */
  watch(refreshMs: number, onChecked: () => void = () => {}): void {
    this.#refreshMs = refreshMs;
    this.#onChecked = onChecked;
    void this.refresh();
  }

  /** Ends {@link watch}. */
  stop(): void {
    this.#refreshMs = undefined;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#refreshMs === undefined) return;
    const retry = FIRST_RETRY_MS * 2 ** (this.#failures - 1);
    const wait = this.#failures > 0 ? Math.min(retry, this.#refreshMs) : this.#refreshMs;
    this.#timer = setTimeout(() => void this.refresh(), wait);
  }

  async #refresh(): Promise<RefreshOutcome> {
    const { logger } = this.#options;
    const started = Date.now();
    let outcome: RefreshOutcome = 'unchanged';
    try {
      const next = await takeEdition(this.#options, this.#served);
      if (next.edition !== this.get()) {
        outcome = 'adopted';
        const { manifest, lines } = next.edition;
        logger.log('info', 'new edition', { edition: manifest.edition, reviews: lines.count });
      }
      this.#served = next;
      this.#failures = 0;
    } catch (error) {
      outcome = 'failed';
      this.#failures++;
      const level = error instanceof UnusableEditionError ? 'warn' : 'error';
      logger.log(level, 'edition not taken, the last one is still served', { error });
    }
    const at = Date.now();
    logger.log('debug', 'looked for an edition', { outcome, ms: at - started });
    this.#last = { outcome, at };
    if (outcome !== 'failed') this.#succeeded = this.#last.at;
    this.#options.policy?.reportExpiry(this.#served.signature!);
    return outcome;
  }
}
