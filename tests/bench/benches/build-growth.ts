import type { Tools } from '../bench.ts';
import { readEdition } from '../editions.ts';
import type { Row } from '../report.ts';

const DECADES: readonly [number, number][] = [
  [1000, 10_000],
  [10_000, 100_000],
];

/**
 * Measures how time and bytes of the real build grow with the dataset; an exponent of 1 is linear.
 */
export async function buildGrowth({ editions }: Tools): Promise<Row[]> {
  const measure = async (reviews: number) => {
    const { client, seconds } = await editions.of(reviews);
    const { resources } = (await readEdition(client)).manifest;
    return { time: seconds, megabytes: resources.reduce((sum, { size }) => sum + size, 0) / 1e6 };
  };
  const rows: Row[] = [];
  for (const [from, to] of DECADES) {
    const [small, large] = [await measure(from), await measure(to)];
    const row = (what: string, less: number, more: number, unit: string): Row => ({
      work: `build ${what}, ${from} to ${to} reviews`,
      against: 'exponent',
      ratio: Math.log10(more / less),
      goal: { is: 'most', value: 1.1 },
      note: `${less.toFixed(1)} to ${more.toFixed(1)} ${unit}`,
    });
    rows.push(row('time', small.time, large.time, 's'));
    rows.push(row('bytes', small.megabytes, large.megabytes, 'MB'));
  }
  return rows;
}
