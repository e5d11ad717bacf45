import type { InsightsDataset } from '../schema/insights.ts';

/**
 * Returns the text of insights.json, with the reading of one review per line in the order of
 * reviews.json, so that it can be found and sliced out without parsing the document.
 */
export function serializeInsights(insights: InsightsDataset): string {
  const readings = Object.entries(insights.per_review).map(
    ([id, reading]) => `\n"${id}":${JSON.stringify(reading)}`,
  );
  const members = Object.entries(insights).map(([name, value]) =>
    name === 'per_review'
      ? `"per_review":{${readings.join()}\n}`
      : `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return `{${members.join()}}\n`;
}

/** Everything before the reading in a line of {@link serializeInsights}: the quoted id and a colon. */
const BEFORE_READING = 29;

/** Returns the reading in a line of insights.json; undefined if it is of another review. */
export function readingInLine(line: string, id: string): string | undefined {
  if (!line.startsWith(`"${id}":`)) return undefined;
  return line.slice(BEFORE_READING, line.endsWith(',') ? -1 : undefined);
}
