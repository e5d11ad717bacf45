import { rm } from 'node:fs/promises';
import { strongETag } from '../../src/edition/etag.ts';
import type { Logger } from '../base/log.ts';
import { adoptEdition, editionId, type AdoptedEdition, type Previous } from './adopt.ts';
import { DamagedEditionError } from './damaged-edition-error.ts';
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
   * is not waited for when there is one of those: {@link watch} looks at it at once. A damaged one
   * counts as none.
   *
   * @throws {IncompleteEditionError} when there is neither
   */
  static async open(
    source: EditionSource,
    dataDir: string,
    logger: Logger,
  ): Promise<CurrentEdition> {
    const readLast = () => readKept(dataDir, source.name);
    const openLast = async (): Promise<CurrentEdition | undefined> => {
      const last = await readLast();
      if (!last) return undefined;
      try {
        const version = strongETag(last.manifestBytes);
        const edition = await openEdition(last);
        return new CurrentEdition(edition, last, version, source, dataDir, logger);
      } catch (error) {
        if (!(error instanceof DamagedEditionError)) throw error;
        logger.log('warn', 'the last edition is damaged', { error });
        return undefined;
      }
    };
    const last = source.remote ? await openLast() : undefined;
    if (last) return last;
    try {
      const { bytes, version } = (await source.readManifest(undefined))!;
      const { adopted, edition } = await takeEdition(source, bytes, dataDir, readLast);
      await noteKept(dataDir, adopted, source.name);
      return new CurrentEdition(edition, adopted, version, source, dataDir, logger);
    } catch (error) {
      const last = error instanceof IncompleteEditionError ? await openLast() : undefined;
      if (!last) throw error;
      logger.log('warn', 'no edition at the source, the last one is served', { error });
      return last;
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
    const isNew = editionId(read.bytes) !== this.#adopted.id;
    if (isNew) {
      const previous = async () => this.#adopted;
      const { adopted, edition } = await takeEdition(
        this.#source,
        read.bytes,
        this.#dataDir,
        previous,
      );
      await noteKept(this.#dataDir, adopted, this.#source.name);
      this.#edition = edition;
      this.#adopted = adopted;
      this.#logger.log('info', 'new edition', {
        edition: adopted.manifest.edition,
        reviews: edition.search.lines.count,
      });
    }
    this.#version = read.version;
    return isNew ? 'adopted' : 'unchanged';
  }
}

/** Adopts an edition and opens it; a copy from before that turns out damaged is made anew. */
async function takeEdition(
  source: EditionSource,
  manifestBytes: Buffer,
  dataDir: string,
  previous: Previous,
): Promise<{ adopted: AdoptedEdition; edition: Edition }> {
  const adopt = () => adoptEdition(source, manifestBytes, dataDir, previous);
  const adopted = await adopt();
  try {
    return { adopted, edition: await openEdition(adopted) };
  } catch (error) {
    if (!(error instanceof DamagedEditionError)) throw error;
    await rm(adopted.folder, { recursive: true });
    const again = await adopt();
    return { adopted: again, edition: await openEdition(again) };
  }
}
