import { ImportError } from './import-error.ts';
import { listReasons } from './import-tally.ts';
import type { MatchedPair } from './merge-store.ts';
import type { ReadFile } from './read-export.ts';

/** Reviews of a platform that earlier imports brought, and those of them that full exports lack. */
interface Shortfall {
  source: string;
  imported: number;
  missing: number;
  /** True if the exports may be those of another place: an API is asked for one that is known. */
  mayBeOther: boolean;
}

/** The reviews that full exports of their platforms lack. */
export interface MissingReviews {
  ids: ReadonlySet<string>;
  shortfalls: readonly Shortfall[];
}

/** Any platform may have lost as few reviews as this. */
const A_FEW = 3;
const USUAL_SHARE = 0.05;
const OTHER_PLACE_SHARE = 0.5;

/** Finds the reviews that the files prove to be gone: none, unless every row of all files was read. */
export function missingFrom(
  pairs: readonly MatchedPair[],
  files: readonly ReadFile[],
  isFromApi: boolean,
): MissingReviews {
  const sources = new Set(files.flatMap((file) => file.sources));
  const isProof = files.every((file) => gapOf(file) === undefined);
  const imported = pairs.filter(
    ({ known }) => known?.value.source_digest !== undefined && sources.has(known.value.source),
  );
  const missing = imported.filter(({ candidate }) => isProof && !candidate);
  const countBySource = Map.groupBy(missing, sourceOf);
  const shortfalls = [...Map.groupBy(imported, sourceOf)].map(([source, { length }]) => {
    const missing = countBySource.get(source)?.length ?? 0;
    const mayBeOther = !isFromApi && missing > length * OTHER_PLACE_SHARE;
    return { source, imported: length, missing, mayBeOther };
  });
  const ids = new Set(missing.map(({ known }) => known!.value.id));
  return { ids, shortfalls: shortfalls.filter(({ missing }) => missing > 0) };
}

/** @throws {ImportError} if reviews shall be withdrawn and a file was not read to the last row */
export function checkIsFull(files: readonly ReadFile[]): void {
  const part = files.find((file) => gapOf(file) !== undefined);
  if (!part) return;
  const way =
    part.part === undefined
      ? 'Correct the rows in a copy of the file and import that, or leave --withdraw out'
      : 'Use --withdraw with a full export only';
  throw new ImportError(
    `${part.file}: cannot tell which reviews are gone, because ${gapOf(part)}. ${way}`,
  );
}

/**
 * Lets a few reviews be withdrawn without a question; more may be those of another place.
 *
 * @param stated the number that the owner expects, if it was asked for
 * @throws {ImportError} if it is another number, or if there is none for so many reviews
 */
export function checkNumber({ ids, shortfalls }: MissingReviews, stated: number | undefined): void {
  if (stated === undefined ? !shortfalls.some(isMuch) : stated === ids.size) return;
  throw new ImportError(
    `${stated === undefined ? '' : `${stated} reviews are not the number that is gone: `}` +
      `--withdraw would withdraw ${describeShortfalls(shortfalls)}. If the export has every review ` +
      `of this business there, say so with the number: --withdraw-exactly ${ids.size}`,
  );
}

/** Words what exports lack for the owner, with the next step if it is safe. */
export function describeMissing({ ids, shortfalls }: MissingReviews): string {
  const lacked = `this export lacks ${describeShortfalls(shortfalls)}`;
  if (shortfalls.some(({ mayBeOther }) => mayBeOther)) {
    return `${lacked}: it may be of another place, or a part`;
  }
  const flag = shortfalls.some(isMuch) ? `--withdraw-exactly ${ids.size}` : '--withdraw';
  return `${lacked}; if it is a full one, add ${flag}`;
}

/** Returns the reason why a file does not prove that a review is gone. */
function gapOf({ part, rejected }: ReadFile): string | undefined {
  if (part !== undefined || rejected.length === 0) return part;
  const reasons = listReasons(rejected.map(({ reason }) => reason));
  return `${rejected.length} of its rows were skipped: ${reasons}`;
}

function isMuch({ imported, missing, mayBeOther }: Shortfall): boolean {
  return mayBeOther || missing > Math.max(A_FEW, imported * USUAL_SHARE);
}

function describeShortfalls(shortfalls: readonly Shortfall[]): string {
  const parts = shortfalls.map(
    ({ source, imported, missing }) => `${missing} of the ${imported} imported from ${source}`,
  );
  return parts.join(' and ') || 'none';
}

function sourceOf({ known }: MatchedPair): string {
  return known!.value.source;
}
