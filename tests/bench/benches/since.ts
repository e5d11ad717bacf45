import { join } from 'node:path';
import { SINCE_PATH } from '../../../src/paths.ts';
import type { Tools } from '../bench.ts';
import { compareServers, repeated, send } from '../compare.ts';
import { readEdition } from '../editions.ts';
import type { Row } from '../report.ts';
import { ServerProcess } from '../server-process.ts';

const MAX_REQUESTS = 3000;
/** Bytes sent in a round of large listings. */
const ROUND_BYTES = 100_000_000;
const SMALL_BYTES = 60_000;

/** Compares listings of all kinds of days, static or computed, with fixed bodies. */
export async function since({ editions, size: reviews, folder }: Tools): Promise<Row[]> {
  const { client: edition } = await editions.of(reviews);
  const { resources } = (await readEdition(edition)).manifest;
  const files = resources
    .filter(({ path }) => path.startsWith(`${SINCE_PATH}/`))
    .sort((a, b) => a.size - b.size);
  const days: Record<string, [path: string, goal: number]> = {
    'recent day, a file': [
      (files.find(({ size }) => size >= SMALL_BYTES) ?? files.at(-1)!).path,
      0.6,
    ],
    'oldest day that is a file': [files.at(-1)!.path, 0.95],
    'first day, made on request': [`${SINCE_PATH}/2018-09-01`, 0.85],
    'day far ahead, made on request': [`${SINCE_PATH}/2100-01-01`, 0.65],
  };
  const rows: Row[] = [];
  await using server = await ServerProcess.sidecar(edition, join(folder, 'since'));
  for (const [kind, [path, goal]] of Object.entries(days)) {
    const size = await send(server, repeated(1, path));
    await using peer = await ServerProcess.peer('h3-fixed.ts', { BODY_BYTES: String(size) });
    const asked = repeated(Math.min(MAX_REQUESTS, Math.ceil(ROUND_BYTES / size)), path);
    const job = () => asked;
    rows.push({
      work: `since, ${kind}`,
      against: `h3, fixed body of ${(size / 1000).toFixed(1)} kB`,
      goal: { is: 'min', value: goal },
      reason: 'a listing of no review has limits, an ETag and 600 bytes of headers like any other',
      ...(await compareServers({ server, job }, { server: peer, job })),
    });
  }
  return rows;
}
