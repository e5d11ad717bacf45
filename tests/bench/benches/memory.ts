import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { JSON_FEED_PATH, REVIEWS_PATH } from '../../../src/paths.ts';
import type { Tools } from '../bench.ts';
import { repeated, send } from '../compare.ts';
import { readEdition } from '../editions.ts';
import { queryMix, queryPath } from '../query-mix.ts';
import type { Row } from '../report.ts';
import { ServerProcess } from '../server-process.ts';
import { median } from '../../support/statistics.ts';

const SMALL = 1000;
const QUERIES = 2000;
const RUNS = 3;

/** Measures the growth of resident memory per byte of reviews.json, in a sidecar under load. */
export async function memory(tools: Tools): Promise<Row[]> {
  const small = await measure(tools, SMALL);
  const large = await measure(tools, tools.size);
  return [
    {
      work: `memory, ${SMALL} to ${tools.size} reviews`,
      against: 'growth of reviews.json',
      ratio: (large.resident - small.resident) / (large.dataset - small.dataset),
      goal: { is: 'max', value: 6 },
      reason:
        '10,000 reviews take 243 to 248 MB as before, and 1,000 take 20 MB less; half as much room for young ' +
        'objects gives 5, and searches that take a tenth longer',
      note:
        `resident ${megabytes(small.resident)} to ${megabytes(large.resident)}; ` +
        `reviews.json ${megabytes(small.dataset)} to ${megabytes(large.dataset)}`,
    },
  ];
}

async function measure(
  { editions, folder }: Tools,
  reviews: number,
): Promise<{ resident: number; dataset: number }> {
  const { client: edition } = await editions.of(reviews);
  const { dataset, manifest } = await readEdition(edition);
  const paths = queryMix(dataset, manifest.names, QUERIES).map(queryPath);
  const residents: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const dataDir = join(folder, `memory-${reviews}-${run}`);
    await using server = await ServerProcess.sidecar(edition, dataDir);
    await send(server, { paths });
    await send(server, repeated(QUERIES, JSON_FEED_PATH));
    residents.push(await server.residentBytes());
  }
  const { size } = await stat(join(edition, REVIEWS_PATH));
  return { resident: median(residents), dataset: size };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
