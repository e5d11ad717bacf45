import type { Business } from '../schema/business.ts';
import type { AggregateRating } from '../schema/dataset.ts';
import type { Score } from '../schema/score.ts';

/** Platforms on which people review businesses, by the part of the address that names them. */
const REVIEW_PLATFORMS = new Set([
  'angi',
  'bbb',
  'booking',
  'checkatrade',
  'facebook',
  'google',
  'healthgrades',
  'houzz',
  'nextdoor',
  'opentable',
  'thumbtack',
  'tripadvisor',
  'trustpilot',
  'yelp',
  'zocdoc',
]);
/** Hosts that name their platform in another way. */
const SHORT_HOSTS: Record<string, string> = { 'g.page': 'google', 'maps.app.goo.gl': 'google' };

/** The rating of a business on a platform, and where to write a review. */
export interface PlatformRating {
  /** As in the reviews: `google`. */
  source: string;
  /** Null for a platform without a review here. */
  rating_value: number | null;
  /** The rating on the scale of the platform, where that is not full stars. */
  score?: Score | undefined;
  review_count: number;
  /** Address for customers to write a review at; undefined if nobody stated it. */
  writeAt: string | undefined;
}

/**
 * Returns the platforms with reviews, most reviews first, then those of `same_as` that take reviews.
 * The profile of the business there is the page on which customers write reviews.
 */
export function platformRatings(
  { address, name, same_as: profiles, url }: Pick<Business, 'address' | 'name' | 'same_as' | 'url'>,
  { by_source: rated }: Pick<AggregateRating, 'by_source'>,
): PlatformRating[] {
  const sources = new Set(rated.map(({ source }) => source));
  const written = new Map(
    profiles.flatMap((profile) => {
      const platform = platformOf(profile, sources);
      return platform === undefined ? [] : [[platform, formOf(platform, profile)] as const];
    }),
  );
  if (sources.has('trustpilot') && !written.has('trustpilot') && url !== null) {
    written.set('trustpilot', `https://www.trustpilot.com/evaluate/${withoutWww(url)}`);
  }
  if (sources.has('google') && !written.has('google')) {
    const query = [name, address?.street, address?.city].filter(Boolean).join(', ');
    const search = new URLSearchParams({ api: '1', query });
    written.set('google', `https://www.google.com/maps/search/?${search}`);
  }
  const others = [...written.keys()].filter((platform) => !sources.has(platform));
  return [
    ...rated.map((each) => ({ ...each, writeAt: written.get(each.source) })),
    ...others.map((source) => ({
      source,
      rating_value: null,
      review_count: 0,
      writeAt: written.get(source),
    })),
  ];
}

/** Returns the profiles of the business on sites that take no reviews. */
export function otherProfiles(
  { same_as: profiles }: Pick<Business, 'same_as'>,
  { by_source: rated }: Pick<AggregateRating, 'by_source'>,
): string[] {
  const sources = new Set(rated.map(({ source }) => source));
  return profiles.filter((profile) => platformOf(profile, sources) === undefined);
}

/** Returns the host of an address as people write it: `yelp.com`. */
export function withoutWww(address: string): string {
  return new URL(address).host.replace(/^www\./, '');
}

function platformOf(profile: string, sources: ReadonlySet<string>): string | undefined {
  const { host } = new URL(profile);
  const named = SHORT_HOSTS[host];
  if (named) return named;
  return host.split('.').find((part) => sources.has(part) || REVIEW_PLATFORMS.has(part));
}

/** Returns the address of the review form, if it follows from the address of the profile. */
function formOf(platform: string, profile: string): string {
  if (platform === 'trustpilot') return profile.replace('/review/', '/evaluate/');
  return profile.replace(/^(https:\/\/g\.page\/r\/[\w-]+)\/?$/, '$1/review');
}
