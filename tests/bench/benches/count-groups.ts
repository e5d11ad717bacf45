import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LabelLines } from '../../../src/dataset/labels.ts';
import { reviewLines } from '../../../src/dataset/document.ts';
import type { GroupName } from '../../../src/schema/groups.ts';
import { SearchIndex } from '../../../src/search/search-index.ts';
import { naiveCount } from '../../support/naive-count.ts';
import type { Tools } from '../bench.ts';
import { micros } from '../compare.ts';
import { readEdition } from '../editions.ts';
import type { Row } from '../report.ts';
import { median } from '../statistics.ts';

const REVIEWS = 100_000;
const ROUNDS = 15;
const GROUPS: readonly GroupName[] = ['year', 'month', 'technician', 'source', 'rating'];

/** Compares counts by one group, and facets, with one pass over the records. */
export async function countGroups({ editions }: Tools): Promise<Row[]> {
  const { client } = await editions.of(REVIEWS);
  const { dataset, manifest } = await readEdition(client);
  const { names } = manifest;
  const lines = reviewLines(await readFile(join(client, 'reviews.json')));
  const labels = new LabelLines(reviewLines(await readFile(join(client, 'review-labels.json'))));
  const index = new SearchIndex(lines, names, labels);
  const published = { reviews: dataset.reviews, names };
  const pass = timeOf((group) => naiveCount(published, { group_by: [group], examples: 0 }), 1);
  const subjects: [string, (group: GroupName) => unknown][] = [
    ['count by one group', (group) => index.count({ group_by: [group], examples: 0 })],
    ['search with one facet', (group) => index.search({ facets: [group], limit: 1 })],
  ];
  return subjects.map(([work, subject]) => {
    timeOf(subject, ROUNDS);
    const own = timeOf(subject, ROUNDS);
    return {
      work: `${work}, ${REVIEWS} reviews`,
      against: 'one pass over the records',
      ratio: pass / own,
      goal: { is: 'least', value: 50 },
      note: `${micros(own)} : ${micros(pass)}`,
    };
  });
}

/** Returns the median of the microseconds per grouping. */
function timeOf(count: (group: GroupName) => unknown, rounds: number): number {
  const times = Array.from({ length: rounds }, () => {
    const started = performance.now();
    for (const group of GROUPS) count(group);
    return ((performance.now() - started) * 1000) / GROUPS.length;
  });
  return median(times);
}
