import type { Manifest } from '../../src/edition/manifest.ts';
import { REVIEWS_PATH } from '../../src/paths.ts';

/**
 * Returns why an edition is hardly meant to follow another: it is of another site, or has less than half
 * of its reviews, by the size of their document. On localhost anything follows, because people try things
 * there.
 */
export function discontinuity(previous: Manifest, next: Manifest): string | undefined {
  if (new URL(previous.base_url).hostname === 'localhost') return undefined;
  if (previous.base_url !== next.base_url) {
    return `it is of ${next.base_url}, and ${previous.base_url} is served`;
  }
  const [before, after] = [sizeOf(previous), sizeOf(next)];
  return after < before / 2
    ? `its reviews have ${after} bytes, where those that are served have ${before}`
    : undefined;
}

function sizeOf({ resources }: Manifest): number {
  return resources.find(({ path }) => path === REVIEWS_PATH)!.size;
}
