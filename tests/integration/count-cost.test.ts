import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GROUPS, type GroupName } from '../../src/schema/groups.ts';
import { readDataset } from '../support/edition.ts';
import { editionFolder } from '../support/edition-folder.ts';
import { multiplyReviews } from '../support/multiply-reviews.ts';
import { naiveCount } from '../support/naive-count.ts';
import { processorTime } from '../support/processor-time.ts';
import { median } from '../support/statistics.ts';
import { openFolder } from '../support/targets.ts';

const COPIES = 30; // some 10,000 reviews
const ROUNDS = 3;
/** Asked that often in a round, because the system counts processor time in steps of milliseconds. */
const TIMES = 10;
/** Times that a pass over the records takes longer: half of what a quiet machine shows, and more for most. */
const MIN_TIMES = { each: 5, half: 15 };

test('a count by any two groupings costs a small part of a pass over 10,000 records', async (context) => {
  const { source: folder } = await editionFolder(context);
  await multiplyReviews(folder, COPIES);
  const { search: index, manifest } = await openFolder(folder);
  const { reviews } = await readDataset(folder);
  // Each once as the first and once as the second; all pairs would take many seconds.
  const pairs = GROUPS.map((first, at): GroupName[] => [first, GROUPS.at(at - 1)!]);
  const count = (pair: GroupName[]) => index.count({ group_by: pair, examples: 0 });
  for (const pair of pairs) count(pair); // compiles all code
  const pass = costOf(
    () => naiveCount({ reviews, names: manifest.names }, { group_by: ['year'], examples: 0 }),
    1,
  );
  const ratios = pairs.map((pair) => ({
    pair: pair.join(),
    times: pass / costOf(() => count(pair)),
  }));
  const [worst] = ratios.toSorted((a, b) => a.times - b.times);
  context.diagnostic(
    `${worst!.pair} ${worst!.times}, median ${median(ratios.map(({ times }) => times))}`,
  );
  assert.ok(worst!.times >= MIN_TIMES.each, `${worst!.pair}: ${worst!.times.toFixed(1)} times`);
  const usual = median(ratios.map(({ times }) => times));
  assert.ok(usual >= MIN_TIMES.half, `the median is ${usual.toFixed(1)} times`);
});

/** Returns the median of milliseconds of processor time. */
function costOf(work: () => unknown, times = TIMES): number {
  return median(
    Array.from({ length: ROUNDS }, () => {
      const began = processorTime();
      for (let time = 0; time < times; time++) work();
      return (processorTime() - began) / times;
    }),
  );
}
