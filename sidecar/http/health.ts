import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CACHE_NOTHING, SECURITY_HEADERS } from '../../src/http.ts';
import { JSON_TYPE } from '../../src/paths.ts';
import { withDeadline } from '../base/deadline.ts';
import { jsonResponse } from './responses.ts';
import type { Logger } from '../base/log.ts';
import type { Edition } from '../edition/edition.ts';
import { pageRenderer, type RenderPage } from '../../src/page-renderer.ts';
import { renderNewestReview } from './review.ts';
import { AT_ONCE } from './turns.ts';
import { isAddress } from '../../src/edition/untrusted-origin.ts';

/** State of one part of the service; `ok: false` takes the process out of service. */
interface Check {
  ok: boolean;
  [detail: string]: unknown;
}

export type Checks = Readonly<Record<string, () => Check | Promise<Check>>>;

/** Time for a part to answer before it counts as not ready. */
const CHECK_MS = 2_000;

/** A probe is of no use to other sites, so they may not read it. */
const HEADERS = {
  'content-type': JSON_TYPE,
  'cache-control': CACHE_NOTHING,
  ...SECURITY_HEADERS,
};

/** Serves `GET /healthz`: the process responds. */
export function serveHealth(): Response {
  return jsonResponse(200, { ok: true }, HEADERS);
}

/** Serves `GET /readyz`: the state of every part, with 503 if one cannot do its work. */
export async function serveReadiness(checks: Checks): Promise<Response> {
  const parts = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await within(check)] as const),
  );
  const ok = parts.every(([, part]) => part.ok);
  return jsonResponse(ok ? 200 : 503, { ok, ...Object.fromEntries(parts) }, HEADERS);
}

async function within(check: Checks[string]): Promise<Check> {
  const failed = { ok: false, reason: 'failed' };
  const answer = () => Promise.try(check).catch(() => failed);
  return withDeadline(CHECK_MS, 'late', answer).catch(() => ({ ok: false, reason: 'no answer' }));
}

/**
 * Renders each kind of page once for every edition, and knows whether that worked.
 *
 * @param render undefined if the code of pages is missing
 */
export function createPageCheck(render: RenderPage | undefined, logger: Logger) {
  let rendered: string | undefined;
  let result = render ? { ok: true } : fails(`${SERVER_DIR} is missing: npm run build makes it`);
  return {
    /** Returns the part of /readyz: the outcome for the edition that was rendered last. */
    result: (): Check => result,
    /** Renders pages of an edition, so that their code is in memory before a build replaces it. */
    async look(edition: Edition): Promise<void> {
      if (!render || edition.digest === rendered) return;
      rendered = edition.digest;
      try {
        const { renderSearchPage } = await import('./search.ts');
        await renderSearchPage(new URLSearchParams(), edition, render, AT_ONCE);
        await renderNewestReview(edition, render);
        result = { ok: true };
      } catch (error) {
        logger.log('error', 'a page cannot be rendered', { error });
        result = fails('a page of this edition cannot be rendered: see the log');
      }
    },
  };
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
  source: string,
  logger: Logger,
  built = SERVER_DIR,
): Promise<RenderPage | undefined> {
  const folders = isAddress(source) ? [built] : [join(source, '../server'), built];
  const entry = folders.map((folder) => resolve(folder, 'entry.mjs')).find(existsSync);
  if (entry !== undefined) return pageRenderer(entry);
  logger.log('warn', 'the code that renders pages on demand is missing: they respond 503', {
    folders,
  });
  return undefined;
}
