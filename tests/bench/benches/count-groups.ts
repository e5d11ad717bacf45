import type { GroupName } from '../../../src/schema/groups.ts';
import { readDataset } from '../../support/edition.ts';
import { naiveCount } from '../../support/naive-count.ts';
import type { Tools } from '../bench.ts';
import { micros } from '../compare.ts';
import type { Row } from '../report.ts';
import { processorTime } from '../../support/processor-time.ts';
import { median } from '../../support/statistics.ts';
import { openFolder } from '../../support/targets.ts';

const ROUNDS = 15;
/** Asked that often in a round, because the system counts processor time in steps of milliseconds. */
const TIMES = 20;
const GROUPS: readonly GroupName[] = ['year', 'month', 'technician', 'source', 'rating'];
/** From few cells with many reviews each to many cells with few. */
const PAIRS: readonly [GroupName, GroupName][] = [
  ['year', 'rating'],
  ['month', 'aspect'],
  ['service', 'aspect'],
];
/** The goals at 100,000 reviews; a smaller edition gives less to save. */
const [ONE_GROUP, TWO_GROUPS] = [50, 20];
const GOALS_FROM = 100_000;

/** Compares counts by one and two groups, and facets, with one pass over the records. */
export async function countGroups({ editions, size }: Tools): Promise<Row[]> {
  const { client } = await editions.of(size);
  const { search: index, manifest } = await openFolder(client);
  const { reviews } = await readDataset(client);
  const published = { reviews, names: manifest.names };
  const naive = (group: GroupName) => naiveCount(published, { group_by: [group], examples: 0 });
  const pass = timeOf(naive, GROUPS, 1);
  const row = <T>(
    work: string,
    subject: (asked: T) => unknown,
    asked: readonly T[],
    goal: number,
  ): Row => {
    timeOf(subject, asked, ROUNDS);
    const own = timeOf(subject, asked, ROUNDS, TIMES);
    return {
      work: `${work}, ${size} reviews`,
      against: 'one pass over the records; CPU',
      ratio: pass / own,
      goal: { is: 'min', value: goal },
      ...(size < GOALS_FROM && {
        reason: 'a thousand groups of an answer take as long as the reviews in them',
      }),
      note: `${micros(own)} : ${micros(pass)}`,
    };
  };
  const count = (groups: GroupName[]) => index.count({ group_by: groups, examples: 0 });
  const facet = (group: GroupName) => index.search({ facets: [group], limit: 1 });
  return [
    row('count by one group', (group) => count([group]), GROUPS, ONE_GROUP),
    row('search with one facet', facet, GROUPS, ONE_GROUP),
    ...PAIRS.map((pair) => row(`count by ${pair.join(' and ')}`, count, [pair], TWO_GROUPS)),
  ];
}

/** Returns the median of the microseconds of processor time per question. */
function timeOf<T>(
  ask: (asked: T) => unknown,
  asked: readonly T[],
  rounds: number,
  repeated = 1,
): number {
  const times = Array.from({ length: rounds }, () => {
    const started = processorTime();
    for (let time = 0; time < repeated; time++) for (const each of asked) ask(each);
    return ((processorTime() - started) * 1000) / asked.length / repeated;
  });
  return median(times);
}
