import type { Logger } from '../base/log.ts';
import type { Edition } from '../edition/edition.ts';
import { type RenderPage, pageRenderer } from '../../src/page-renderer.ts';
import type { Check } from './health.ts';
import { renderNewestReview } from './review.ts';
import { AT_ONCE } from './turns.ts';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isAddress } from '../../src/edition/untrusted-origin.ts';

/** Renders each kind of page once for every edition, and knows whether that worked. */
export class PageCheck {
  readonly #render: RenderPage | undefined;
  readonly #logger: Logger;
  #rendered: string | undefined;
  #result: Check = { ok: true };

  /** @param render undefined if the code of pages is missing */
  constructor(render: RenderPage | undefined, logger: Logger) {
    this.#render = render;
    this.#logger = logger;
    if (!render) this.#result = fails(`${SERVER_DIR} is missing: npm run build makes it`);
  }

  /** Returns the part of /readyz: the outcome for the edition that was rendered last. */
  result(): Check {
    return this.#result;
  }

  /** Renders pages of an edition, so that their code is in memory before a build replaces it. */
  async look(edition: Edition): Promise<void> {
    if (!this.#render || edition.digest === this.#rendered) return;
    this.#rendered = edition.digest;
    try {
      const { renderSearchPage } = await import('./search.ts');
      await renderSearchPage(new URLSearchParams(), edition, this.#render, AT_ONCE);
      await renderNewestReview(edition, this.#render);
      this.#result = { ok: true };
    } catch (error) {
      this.#logger.log('error', 'a page cannot be rendered', { error });
      this.#result = fails('a page of this edition cannot be rendered: see the log');
    }
  }
}

function fails(reason: string): Check {
  return { ok: false, reason };
}

/** The folder with the code that renders pages, where the program was built. */
export const SERVER_DIR = 'dist/server';

/**
 * Finds the code that renders pages on demand: beside the edition, if that is a folder, or where the
 * program was built. Without it, logs a line and returns undefined.
 */
export async function findRenderer(
  edition: string,
  logger: Logger,
  built = SERVER_DIR,
): Promise<RenderPage | undefined> {
  const folders = isAddress(edition) ? [built] : [join(edition, '../server'), built];
  const entry = folders.map((folder) => resolve(folder, 'entry.mjs')).find(existsSync);
  if (entry !== undefined) return pageRenderer(entry);
  logger.log('warn', 'the code that renders pages on demand is missing: they respond 503', {
    folders,
  });
  return undefined;
}
