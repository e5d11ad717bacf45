import type { Tools } from '../bench.ts';
import { readEdition } from '../editions.ts';
import type { Row } from '../report.ts';

/** Processor seconds of a build of 10,000 reviews or fewer; one of more may take as much longer. */
const SECONDS = 15;

/**
 * Measures the real build, and how its time and bytes grow with the dataset; an exponent of 1 is
 * linear.
 */
export async function buildGrowth({ editions, size }: Tools): Promise<Row[]> {
  const measure = async (reviews: number) => {
    const { client, seconds } = await editions.of(reviews);
    const { resources } = (await readEdition(client)).manifest;
    return { seconds, megabytes: resources.reduce((sum, { size }) => sum + size, 0) / 1e6 };
  };
  const [small, large] = [await measure(size / 10), await measure(size)];
  const exponent = (what: string, less: number, more: number, unit: string): Row => ({
    work: `build ${what}, ${size / 10} to ${size} reviews`,
    against: 'exponent',
    ratio: Math.log10(more / less),
    goal: { is: 'max', value: 1.1 },
    note: `${less.toFixed(1)} to ${more.toFixed(1)} ${unit}`,
  });
  return [
    {
      work: `build, ${size} reviews`,
      against: 'processor seconds',
      ratio: large.seconds,
      goal: { is: 'max', value: SECONDS * Math.max(1, size / 10_000) },
      note: 'on this machine',
      reason:
        '9 s are the same at any size, most of them for loading Astro, bundling, rendering and writing 1,500 ' +
        'files; reading 10,000 reviews takes 4 more, and compressing them 2; other work makes all of it slower',
    },
    exponent('time', small.seconds, large.seconds, 's'),
    exponent('bytes', small.megabytes, large.megabytes, 'MB'),
  ];
}
