import { readFile } from 'node:fs/promises';
import { verifyInsights } from '../insights/verify.ts';
import { UsageError, type Command } from '../run-command.ts';
import { reviewsDataset } from '../schema/dataset.ts';
import { insightsDataset } from '../schema/insights.ts';

const USAGE = 'usage: npm run verify -- <reviews.json> <insights.json> (files or URLs)';

/** Recounts insights.json from reviews.json; exit status 1 when a count or quote is wrong. */
export const verify: Command = async ([reviews, insights], print) => {
  if (!reviews || !insights) throw new UsageError(USAGE);
  const issues = verifyInsights(
    reviewsDataset.parse(await load(reviews)),
    insightsDataset.parse(await load(insights)),
  );
  for (const issue of issues) print(issue);
  print(issues.length === 0 ? 'every count and quote holds' : `${issues.length} do not hold`);
  return issues.length === 0 ? 0 : 1;
};

async function load(source: string): Promise<unknown> {
  if (!/^https?:/.test(source)) return JSON.parse(await readFile(source, 'utf8'));
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${source} answered ${response.status}`);
  return response.json();
}
