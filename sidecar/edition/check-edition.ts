import type { CurrentEdition } from './current-edition.ts';

/**
 * The edition's part of /readyz. An edition that is old is still served, so age is stated and
 * never a reason to be taken out of service. @param now milliseconds since 1970
 */
export function checkEdition(current: CurrentEdition, now: number) {
  const { manifest, lastModified } = current.get();
  const { outcome, at } = current.lastRefresh();
  return {
    ok: true,
    edition: manifest.edition,
    age_seconds: Math.round(now / 1000 - lastModified),
    last_refresh: { outcome, seconds_ago: Math.round((now - at) / 1000) },
  };
}
