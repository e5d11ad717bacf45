import { readFile } from 'node:fs/promises';
import { verifyInsights } from '../../insights/verify.ts';
import { reviewsDataset } from '../../schema/dataset.ts';
import { insightsDataset } from '../../schema/insights.ts';

const [reviews, insights] = process.argv.slice(2);
try {
  if (!reviews || !insights) {
    throw new Error('usage: npm run verify -- <reviews.json> <insights.json> (files or URLs)');
  }
  const faults = verifyInsights(
    reviewsDataset.parse(await load(reviews)),
    insightsDataset.parse(await load(insights)),
  );
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.stdout.write(
    faults.length === 0 ? 'every count and quote holds\n' : `${faults.length} do not hold\n`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 2;
}

async function load(source: string): Promise<unknown> {
  if (!/^https?:/.test(source)) return JSON.parse(await readFile(source, 'utf8'));
  const response = await fetch(source);
  if (!response.ok) throw new Error(`${source} answered ${response.status}`);
  return response.json();
}
