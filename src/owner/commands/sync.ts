import { resolve } from 'node:path';
import { parseOptions, UsageError, type Command } from '../../run-command.ts';
import { listingsIn, PLATFORM_SETTINGS } from '../sync/listings.ts';
import { syncPlatform, type Listing } from '../sync/sync.ts';
import { reportOf } from './import-report.ts';

const USAGE = `usage: npm run sync [-- options]
  --withdraw   turn reviews that are gone from their platform into tombstones
  --rows       list every row and what became of it
  --dry-run    report, and write nothing
Environment:
${Object.entries(PLATFORM_SETTINGS)
  .map(([platform, names]) => `  ${platform}: ${names.join(', ')}`)
  .join('\n')}`;

/**
 * Brings new and changed reviews from the APIs of their platforms into content/, or into the folder
 * that CONTENT_DIR names. A platform that fails does not keep the others from being read.
 */
export const sync: Command = async (args, print) => {
  const flags = parse(args);
  const options = {
    contentDir: resolve(process.env.CONTENT_DIR || 'content'),
    now: `${new Date().toISOString().slice(0, 19)}Z`,
    withdraw: flags.withdraw,
    dryRun: flags['dry-run'],
  };
  const errors: unknown[] = [];
  for (const [platform, listings] of Map.groupBy(listed(), (listing) => listing.platform)) {
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

function parse(args: readonly string[]) {
  return parseOptions(
    args,
    {
      options: {
        withdraw: { type: 'boolean', default: false },
        rows: { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
      },
    },
    USAGE,
  ).values;
}

function listed(): Listing[] {
  try {
    return listingsIn(process.env);
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
