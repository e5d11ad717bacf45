import { checkPublished, countValues } from '../../insights/check-published.ts';
import {
  INSIGHTS_INPUTS_PATH,
  INSIGHTS_PATH,
  REVIEW_LABELS_PATH,
  REVIEWS_PATH,
} from '../../paths.ts';
import type { ReviewsDataset } from '../../schema/dataset.ts';
import type { InsightsInputs } from '../../schema/insights-inputs.ts';
import type { InsightsDataset } from '../../schema/insights.ts';

// Reads every published review again, apart from the page, which stays responsive.

/** Messages to the page. */
export type Message =
  | { kind: 'progress'; read: number; total: number }
  | { kind: 'result'; reviews: number; values: number; issues: string[] }
  | { kind: 'failure'; reason: string };

/** Number of differences that a page lists. */
const SHOWN = 200;

function send(message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has one page
  self.postMessage(message);
}

/** Returns the text that the site serves now; the browser may keep it if it did not change. */
async function fetchText(site: string, path: string): Promise<string> {
  const response = await fetch(site + path, { cache: 'no-cache' });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.text();
}

async function readJson<T>(site: string, path: string): Promise<T> {
  return JSON.parse(await fetchText(site, path)) as T;
}

async function check(site: string): Promise<void> {
  const [dataset, insights, inputs, labels] = await Promise.all([
    readJson<ReviewsDataset>(site, REVIEWS_PATH),
    readJson<InsightsDataset>(site, INSIGHTS_PATH),
    readJson<InsightsInputs>(site, INSIGHTS_INPUTS_PATH),
    fetchText(site, REVIEW_LABELS_PATH),
  ]);
  const total = dataset.reviews.length;
  const steps = checkPublished({ dataset, insights, inputs, labels });
  let step = steps.next();
  for (; !step.done; step = steps.next()) send({ kind: 'progress', read: step.value, total });
  send({
    kind: 'result',
    reviews: total,
    values: countValues(insights),
    issues: step.value.slice(0, SHOWN),
  });
}

// The page says once where its site lies.
self.addEventListener('message', ({ data: site }: MessageEvent<string>) => {
  check(site).catch((error: Error) => send({ kind: 'failure', reason: error.message }));
});
