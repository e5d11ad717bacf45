import { resolve } from 'node:path';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { googleListing } from '../sync/google.ts';
import { syncPlatform, type Listing } from '../sync/sync.ts';
import { trustpilotListing } from '../sync/trustpilot.ts';
import { reportOf } from './import-report.ts';
import { WITHDRAW_FLAGS, withdrawalOf } from './withdraw-flags.ts';

/** Environment variables of each platform; all of a platform or none must be set. */
const PLATFORM_SETTINGS = {
  Google: ['GOOGLE_LOCATIONS', 'GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET', 'GOOGLE_REFRESH_TOKEN'],
  Trustpilot: ['TRUSTPILOT_BUSINESS_UNIT_ID', 'TRUSTPILOT_API_KEY'],
} as const;

const USAGE = `usage: npm run sync [-- options]
  --withdraw             turn reviews that are gone from their platform into tombstones
  --withdraw-exactly N   the same for more than 5 % of a platform's reviews, whose number you know
  --rows                 list every row and what became of it
  --dry-run              report, and write nothing
Environment:
${Object.entries(PLATFORM_SETTINGS)
  .map(([platform, names]) => `  ${platform}: ${names.join(', ')}`)
  .join('\n')}`;

/**
 * Brings new and changed reviews from the APIs of their platforms into content/, or into the folder
 * that CONTENT_DIR names. A platform that fails does not keep the others from being read.
 */
export const sync: Command = async (args, print) => {
  const flags = parseOptions(args, OPTIONS, USAGE).values;
  const options = {
    contentDir: resolve(process.env.CONTENT_DIR || 'content'),
    now: `${new Date().toISOString().slice(0, 19)}Z`,
    withdraw: withdrawalOf(flags),
    dryRun: flags['dry-run'],
  };
  const errors: unknown[] = [];
  for (const [platform, listings] of Map.groupBy(
    listingsIn(process.env),
    (listing) => listing.platform,
  )) {
    try {
      const result = await syncPlatform(listings, options);
      print(result ? `Read every review on ${platform}.` : `${platform} has no reviews.`);
      for (const line of result ? reportOf(result, flags) : []) print(line);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors);
};

const OPTIONS = {
  options: {
    ...WITHDRAW_FLAGS,
    rows: { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
  },
} as const;

const LOCATION = /^accounts\/[^/\s?#]+\/locations\/[^/\s?#]+$/;
const UNIT = /^[\w-]+$/;

/** Returns the listings that the environment names. @throws {UsageError} in one line that says what to set */
export function listingsIn(env: Readonly<Record<string, string | undefined>>): Listing[] {
  const listings: Listing[] = [];
  const google = settingsOf(env, 'Google');
  if (google) {
    for (const location of google.GOOGLE_LOCATIONS.split(',').map((each) => each.trim())) {
      if (!LOCATION.test(location)) {
        throw new UsageError(
          'GOOGLE_LOCATIONS: must be accounts/…/locations/…, several with commas',
        );
      }
      listings.push(googleListing(location, google));
    }
  }
  const trustpilot = settingsOf(env, 'Trustpilot');
  if (trustpilot) {
    const { TRUSTPILOT_BUSINESS_UNIT_ID: businessUnitId, TRUSTPILOT_API_KEY: apiKey } = trustpilot;
    if (!UNIT.test(businessUnitId)) {
      throw new UsageError('TRUSTPILOT_BUSINESS_UNIT_ID: must be the id, not the name or address');
    }
    listings.push(trustpilotListing(businessUnitId, apiKey));
  }
  if (listings.length === 0) {
    const names = Object.values(PLATFORM_SETTINGS).map((group) => group.join(', '));
    throw new UsageError(`set ${names.join('; or ')}`);
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
  if (missing.length > 0) throw new UsageError(`${platform}: also set ${missing.join(', ')}`);
  return env as Record<(typeof PLATFORM_SETTINGS)[Platform][number], string>;
}
