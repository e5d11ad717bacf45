import { REVIEWS_PATH, SINCE_PATH } from '../../../src/paths.ts';
import type { Tools } from '../bench.ts';
import { readEdition } from '../editions.ts';
import type { Row } from '../report.ts';

const DECADES: readonly [number, number][] = [
  [1000, 10_000],
  [10_000, 100_000],
];
const MIB = 1024 * 1024;
const EMPTY_DAYS_BYTES = 366 * 50;

interface Size {
  seconds: number;
  dataset: number;
  since: number;
  /** All files without their compressed variants. */
  identity: number;
}

/**
 * Measures how time and bytes of the real build grow with the dataset; an exponent of 1 is linear.
 */
export async function buildGrowth({ editions }: Tools): Promise<Row[]> {
  const sizes = new Map<number, Size>();
  for (const reviews of new Set(DECADES.flat())) sizes.set(reviews, await size(editions, reviews));

  const growth = DECADES.flatMap(([from, to]) => {
    const [small, large] = [sizes.get(from)!, sizes.get(to)!];
    const work = `${from} to ${to} reviews`;
    return [
      most(
        1.1,
        `build time, ${work}`,
        'exponent',
        Math.log10(large.seconds / small.seconds),
        `${small.seconds.toFixed(1)} s to ${large.seconds.toFixed(1)} s`,
      ),
      most(
        1.1,
        `build bytes, ${work}`,
        'exponent',
        Math.log10(large.identity / small.identity),
        `${megabytes(small.identity)} to ${megabytes(large.identity)}`,
      ),
    ];
  });
  const shares = [...sizes].flatMap(([reviews, { dataset, since, identity }]) => [
    most(
      1,
      `since/, ${reviews} reviews`,
      '2 × reviews.json, and a year of empty days',
      since / (2 * dataset + EMPTY_DAYS_BYTES),
      `${megabytes(since)} of ${megabytes(2 * dataset + EMPTY_DAYS_BYTES)}`,
    ),
    most(
      1,
      `all identity bytes, ${reviews} reviews`,
      '12 × reviews.json + 32 MiB',
      identity / (12 * dataset + 32 * MIB),
      `${(identity / dataset).toFixed(2)} × reviews.json of ${megabytes(dataset)}`,
    ),
  ]);
  return [...growth, ...shares];
}

async function size(editions: Tools['editions'], reviews: number): Promise<Size> {
  const { client, seconds } = await editions.of(reviews);
  const { resources } = (await readEdition(client)).manifest;
  const sum = (prefix: string) =>
    resources
      .filter(({ path }) => path.startsWith(prefix))
      .reduce((total, { size }) => total + size, 0);
  const dataset = sum(REVIEWS_PATH);
  return { seconds, dataset, since: sum(`${SINCE_PATH}/`), identity: sum('/') };
}

function most(value: number, work: string, against: string, ratio: number, note: string): Row {
  return { work, against, ratio, goal: { is: 'most', value }, note };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
