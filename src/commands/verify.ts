import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { verifyDeep } from '../insights/check-published.ts';
import { verifyInsights } from '../insights/verify.ts';
import { INSIGHTS_INPUTS_PATH, INSIGHTS_PATH, REVIEW_LABELS_PATH, REVIEWS_PATH } from '../paths.ts';
import { UsageError, type Command } from '../run-command.ts';
import { reviewsDataset } from '../schema/dataset.ts';
import { insightsInputs } from '../schema/insights-inputs.ts';
import { insightsDataset } from '../schema/insights.ts';

const USAGE = `usage: npm run verify -- <reviews.json> <insights.json> (files or URLs)
       npm run verify -- --deep <origin of the site, or folder of its files>`;

/**
 * Derives insights.json again and prints each difference; exit status 1 if there is any. `--deep`
 * also reads every review again with the published inputs.
 */
export const verify: Command = async (args, print) => {
  const issues = args[0] === '--deep' ? await deep(args.slice(1)) : await recount(args);
  for (const issue of issues) print(issue);
  if (issues.length > 0) print(`${issues.length} differences`);
  else if (args[0] === '--deep') print('every review was read again: the insights are the same');
  else print('every count and quote holds; --deep also reads the reviews again');
  return issues.length === 0 ? 0 : 1;
};

async function recount([reviews, insights, ...rest]: readonly string[]): Promise<string[]> {
  if (!reviews || !insights || rest.length > 0) throw new UsageError(USAGE);
  return verifyInsights(await load(reviews, reviewsDataset), await load(insights, insightsDataset));
}

async function deep([site, ...rest]: readonly string[]): Promise<string[]> {
  if (!site || rest.length > 0) throw new UsageError(USAGE);
  const at = (path: string) => (isUrl(site) ? new URL(path, site).href : join(site, path));
  const dataset = await load(at(REVIEWS_PATH), reviewsDataset);
  const insights = await load(at(INSIGHTS_PATH), insightsDataset);
  const inputs = await load(at(INSIGHTS_INPUTS_PATH), insightsInputs);
  const labels = await readText(at(REVIEW_LABELS_PATH));
  return verifyDeep({ dataset, insights, inputs, labels });
}

function isUrl(source: string): boolean {
  return /^https?:/.test(source);
}

/** @throws if it cannot be read, or is a document of another kind or version */
async function load<T>(source: string, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(JSON.parse(await readText(source)));
  if (parsed.success) return parsed.data;
  const [first, ...others] = parsed.error.issues;
  const where = first!.path.join('.') || 'the document';
  const more = others.length > 0 ? `, and ${others.length} more issues` : '';
  throw new Error(
    `${source} is not of the kind and version that this program verifies: ${where}: ${first!.message}${more}`,
  );
}

async function readText(source: string): Promise<string> {
  if (!isUrl(source)) return readFile(source, 'utf8');
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${source} answered ${response.status}`);
  return response.text();
}
