import { strongETag } from '../../src/edition/etag.ts';
import type { Logger } from '../log.ts';
import { adoptEdition, type AdoptedEdition } from './adopt.ts';
import { openEdition, type Edition } from './edition.ts';
import { IncompleteEditionError } from './incomplete-edition-error.ts';
import { noteKept, readKept } from './kept-edition.ts';
import type { EditionSource } from './source.ts';

/** What a look at the source came to; `failed` leaves the last edition in place. */
export type RefreshOutcome = 'unchanged' | 'adopted' | 'failed';

export interface LastRefresh {
  outcome: RefreshOutcome;
  /** Milliseconds since 1970. */
  at: number;
}

/** A look that failed, as it does while an upload is half done, is repeated sooner. */
const FIRST_RETRY_MS = 2_000;

/** The edition that is served now, and how a newer one takes its place. */
export class CurrentEdition {
  #edition: Edition;
  #adopted: AdoptedEdition;
  #version: string | undefined;
  #refreshing: Promise<RefreshOutcome> | undefined;
  #following: Promise<RefreshOutcome> | undefined;
  #last: LastRefresh;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #refreshMs: number | undefined;
  #onLook = (): void => {};
  readonly #source: EditionSource;
  readonly #dataDir: string;
  readonly #logger: Logger;

  private constructor(
    edition: Edition,
    adopted: AdoptedEdition,
    version: string | undefined,
    source: EditionSource,
    dataDir: string,
    logger: Logger,
  ) {
    this.#edition = edition;
    this.#adopted = adopted;
    this.#version = version;
    this.#last = { outcome: 'adopted', at: Date.now() };
    this.#source = source;
    this.#dataDir = dataDir;
    this.#logger = logger;
  }

  /**
   * The edition of the source, or without it the last one that was served from it. A remote source
   * is not waited for when there is one of those: {@link watch} looks at it at once.
   *
   * @throws {IncompleteEditionError} when there is neither
   */
  static async open(
    source: EditionSource,
    dataDir: string,
    logger: Logger,
  ): Promise<CurrentEdition> {
    const readLast = () => readKept(dataDir, source.name);
    const openLast = async (edition: AdoptedEdition): Promise<CurrentEdition> => {
      const version = strongETag(edition.manifestBytes);
      return new CurrentEdition(
        await openEdition(edition),
        edition,
        version,
        source,
        dataDir,
        logger,
      );
    };
    const last = source.remote ? await readLast() : undefined;
    if (last) return openLast(last);
    try {
      const { bytes, version } = (await source.readManifest(undefined))!;
      const adopted = await adoptEdition(source, bytes, dataDir, readLast);
      const edition = await openEdition(adopted);
      await noteKept(dataDir, adopted, source.name);
      return new CurrentEdition(edition, adopted, version, source, dataDir, logger);
    } catch (error) {
      const last = error instanceof IncompleteEditionError ? await readLast() : undefined;
      if (!last) throw error;
      logger.log('warn', 'no edition at the source, the last one is served', { error });
      return openLast(last);
    }
  }

  get(): Edition {
    return this.#edition;
  }

  lastRefresh(): LastRefresh {
    return this.#last;
  }

  /**
   * Looks at the source; a whole new edition is swapped in, anything else leaves things be. A look
   * under way may have missed what the caller knows of, so it is followed by another.
   */
  refresh(): Promise<RefreshOutcome> {
    if (this.#refreshing) {
      this.#following ??= this.#refreshing.then(() => {
        this.#following = undefined;
        return this.refresh();
      });
      return this.#following;
    }
    this.#refreshing = this.#refresh().finally(() => {
      this.#refreshing = undefined;
      this.#onLook();
      this.#schedule();
    });
    return this.#refreshing;
  }

  /**
   * Looks at once and then every `refreshMs`; sooner after a look that failed.
   *
   * @param onLook is told when a look has ended, whatever it came to
   */
  watch(refreshMs: number, onLook: () => void = () => {}): void {
    this.#refreshMs = refreshMs;
    this.#onLook = onLook;
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
    let outcome: RefreshOutcome;
    try {
      outcome = await this.#take();
      this.#failures = 0;
    } catch (error) {
      outcome = 'failed';
      this.#failures++;
      const level = error instanceof IncompleteEditionError ? 'warn' : 'error';
      this.#logger.log(level, 'edition not taken, the last one is still served', { error });
    }
    this.#last = { outcome, at: Date.now() };
    return outcome;
  }

  async #take(): Promise<RefreshOutcome> {
    const read = await this.#source.readManifest(this.#version);
    if (!read) return 'unchanged';
    const previous = async () => this.#adopted;
    const adopted = await adoptEdition(this.#source, read.bytes, this.#dataDir, previous);
    if (adopted.id !== this.#adopted.id) {
      this.#edition = await openEdition(adopted);
      this.#adopted = adopted;
      await noteKept(this.#dataDir, adopted, this.#source.name);
      const { edition } = adopted.manifest;
      const reviews = this.#edition.search.lines.count;
      this.#logger.log('info', 'new edition', { edition, reviews });
      this.#version = read.version;
      return 'adopted';
    }
    this.#version = read.version;
    return 'unchanged';
  }
}
