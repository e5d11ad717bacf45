import type { CurrentEdition } from '../edition/current-edition.ts';
import type { Meters } from '../base/meters.ts';

/** @param now milliseconds since 1970 */
export function meterEdition(meters: Meters, current: CurrentEdition, now: () => number): void {
  meters.gauge('reviews_edition_info', 'The edition that is served.', ['edition'], () => [
    [{ edition: current.get().manifest.edition }, 1],
  ]);
  meters.gauge(
    'reviews_edition_age_seconds',
    'Time since Last-Modified of the edition.',
    [],
    () => [[{}, now() / 1000 - current.get().lastModified]],
  );
  meters.gauge('reviews_edition_reviews', 'Reviews in the edition.', [], () => [
    [{}, current.get().search.lines.count],
  ]);
  meters.gauge(
    'reviews_edition_damaged_files',
    'Files of the edition that are damaged and could not be fetched again.',
    [],
    () => [[{}, current.get().files.lost]],
  );
  meters.gauge(
    'reviews_edition_refresh_age_seconds',
    'Time since the source was last looked at, by what came of it.',
    ['outcome'],
    () => {
      const { outcome, at } = current.lastRefresh();
      return [[{ outcome }, (now() - at) / 1000]];
    },
  );
  meters.gauge(
    'reviews_edition_success_age_seconds',
    'Time since a look at the source last succeeded, or since the start.',
    [],
    () => [[{}, (now() - current.lastSuccess()) / 1000]],
  );
}
