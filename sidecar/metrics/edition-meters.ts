import type { CurrentEdition } from '../edition/current-edition.ts';
import type { Meters } from '../base/meters.ts';

/** @param now milliseconds since 1970 */
export function meterEdition(meters: Meters, current: CurrentEdition, now: () => number): void {
  meters.gauge('reviews_edition_info', 'The edition that is served.', ['edition'], () => [
    [{ edition: current.get().manifest.edition }, 1],
  ]);
  meters.gauge(
    'reviews_edition_refresh_age_seconds',
    'Time since the source was last looked at, by what came of it.',
    ['outcome'],
    () => {
      const { outcome, seconds_ago: seconds } = current.check(now()).last_refresh;
      return [[{ outcome }, seconds]];
    },
  );
  const gauge = (name: string, help: string, read: () => number) =>
    meters.gauge(`reviews_edition_${name}`, help, [], () => [[{}, read()]]);
  gauge('reviews', 'Reviews in the edition.', () => current.get().lines.count);
  gauge(
    'age_seconds',
    'Time since Last-Modified of the edition.',
    () => current.check(now()).age_seconds,
  );
  gauge(
    'damaged_files',
    'Files of the edition that are damaged and could not be fetched again.',
    () => current.get().files.lost,
  );
  gauge(
    'success_age_seconds',
    'Time since a look at the source last succeeded, or since the start.',
    () => current.check(now()).seconds_since_success,
  );
}
