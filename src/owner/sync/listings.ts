import { googleListing } from './google.ts';
import type { Listing } from './sync.ts';
import { trustpilotListing } from './trustpilot.ts';

/** Environment variables of each platform; all of a platform or none must be set. */
export const PLATFORM_SETTINGS = {
  Google: ['GOOGLE_LOCATIONS', 'GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET', 'GOOGLE_REFRESH_TOKEN'],
  Trustpilot: ['TRUSTPILOT_BUSINESS_UNIT_ID', 'TRUSTPILOT_API_KEY'],
} as const;

const LOCATION = /^accounts\/[^/\s?#]+\/locations\/[^/\s?#]+$/;
const UNIT = /^[\w-]+$/;

/** Returns the listings that the environment names. @throws in one line that says what to set */
export function listingsIn(env: Readonly<Record<string, string | undefined>>): Listing[] {
  const listings: Listing[] = [];
  const google = settingsOf(env, 'Google');
  if (google) {
    for (const location of google.GOOGLE_LOCATIONS.split(',').map((each) => each.trim())) {
      if (!LOCATION.test(location)) {
        throw new Error('GOOGLE_LOCATIONS: must be accounts/…/locations/…, several with commas');
      }
      listings.push(googleListing(location, google));
    }
  }
  const trustpilot = settingsOf(env, 'Trustpilot');
  if (trustpilot) {
    const { TRUSTPILOT_BUSINESS_UNIT_ID: businessUnitId, TRUSTPILOT_API_KEY: apiKey } = trustpilot;
    if (!UNIT.test(businessUnitId)) {
      throw new Error('TRUSTPILOT_BUSINESS_UNIT_ID: must be the id, not the name or address');
    }
    listings.push(trustpilotListing(businessUnitId, apiKey));
  }
  if (listings.length === 0) {
    const names = Object.values(PLATFORM_SETTINGS).map((group) => group.join(', '));
    throw new Error(`set ${names.join('; or ')}`);
  }
  return listings;
}

/** Returns the values of a platform by name, undefined when none is set. */
function settingsOf<Platform extends keyof typeof PLATFORM_SETTINGS>(
  env: Readonly<Record<string, string | undefined>>,
  platform: Platform,
): Record<(typeof PLATFORM_SETTINGS)[Platform][number], string> | undefined {
  const names: readonly string[] = PLATFORM_SETTINGS[platform];
  const missing = names.filter((name) => !env[name]);
  if (missing.length === names.length) return undefined;
  if (missing.length > 0) throw new Error(`${platform}: also set ${missing.join(', ')}`);
  return env as Record<(typeof PLATFORM_SETTINGS)[Platform][number], string>;
}
