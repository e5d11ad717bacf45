import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MANIFEST_FILE } from '../../src/edition/manifest.ts';
import type { Logger } from '../log.ts';
import { adoptEdition, IncompleteEditionError } from './adopt.ts';
import { openEdition, type Edition } from './edition.ts';

/** The edition that is served now, and how a newer one takes its place. */
export class CurrentEdition {
  #edition: Edition;
  #seen: string | undefined;
  #refreshing: Promise<void> | undefined;
  readonly #source: string;
  readonly #dataDir: string;
  readonly #logger: Logger;

  private constructor(edition: Edition, source: string, dataDir: string, logger: Logger) {
    this.#edition = edition;
    this.#source = source;
    this.#dataDir = dataDir;
    this.#logger = logger;
  }

  /** @throws {IncompleteEditionError} when the source holds no whole edition */
  static async open(source: string, dataDir: string, logger: Logger): Promise<CurrentEdition> {
    const edition = await openEdition(await adoptEdition(source, dataDir));
    return new CurrentEdition(edition, source, dataDir, logger);
  }

  get(): Edition {
    return this.#edition;
  }

  /** Looks at the source; a whole new edition is swapped in, anything else leaves things be. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refresh(): Promise<void> {
    const fingerprint = await this.#fingerprint();
    if (fingerprint !== undefined && fingerprint === this.#seen) return;
    try {
      const adopted = await adoptEdition(this.#source, this.#dataDir);
      this.#seen = fingerprint;
      if (adopted.id === this.#edition.id) return;
      this.#edition = await openEdition(adopted);
      const { edition } = adopted.manifest;
      this.#logger.log('info', 'new edition', {
        edition,
        reviews: this.#edition.search.lines.count,
      });
    } catch (error) {
      const level = error instanceof IncompleteEditionError ? 'warn' : 'error';
      this.#logger.log(level, 'edition not taken, the last one is still served', { error });
    }
  }

  async #fingerprint(): Promise<string | undefined> {
    return stat(join(this.#source, MANIFEST_FILE)).then(
      ({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`,
      () => undefined,
    );
  }
}
