import { join } from 'node:path';
import { SINCE_PATH } from '../../../src/paths.ts';
import type { Tools } from '../bench.ts';
import { compareServers, repeated, send } from '../compare.ts';
import { readEdition } from '../editions.ts';
import type { Row } from '../report.ts';
import { ServerProcess } from '../server-process.ts';

const REVIEWS = 10_000;
const MAX_REQUESTS = 3000;
/** Bytes sent in a round of large listings. */
const ROUND_BYTES = 400_000_000;
const SMALL_BYTES = 60_000;

/** Compares listings of all kinds of days, static or computed, with fixed bodies. */
export async function since(tools: Tools): Promise<Row[]> {
  const { editions, folder } = tools;
  const { client: edition } = await editions.of(REVIEWS);
  const { resources } = (await readEdition(edition)).manifest;
  const files = resources
    .filter(({ path }) => path.startsWith(`${SINCE_PATH}/`))
    .sort((a, b) => a.size - b.size);
  const small = files.find(({ size }) => size >= SMALL_BYTES)!;
  const days: [string, string][] = [
    ['recent day, a file', small.path],
    ['oldest day that is a file', files.at(-1)!.path],
    ['first day, made on request', `${SINCE_PATH}/2018-09-01`],
    ['day far ahead, made on request', `${SINCE_PATH}/2100-01-01`],
  ];
  const rows: Row[] = [];
  const subject = await ServerProcess.sidecar(edition, join(folder, 'since'));
  try {
    for (const [kind, path] of days) rows.push(await compare(tools, subject, kind, path));
  } finally {
    await subject.stop();
  }
  return rows;
}

async function compare(
  { client }: Tools,
  subject: ServerProcess,
  kind: string,
  path: string,
): Promise<Row> {
  const { bytes: size } = await send(client, subject, repeated(1, path));
  const peer = await ServerProcess.peer('h3-fixed.ts', { BODY_BYTES: String(size) });
  try {
    const job = repeated(Math.min(MAX_REQUESTS, Math.ceil(ROUND_BYTES / size)), path);
    const [own, other] = [subject, peer].map((server) => ({ server, job: () => job }));
    const { ratio, note } = await compareServers(client, own!, other!);
    return {
      work: `since, ${kind}`,
      against: `h3, fixed body of ${shownSize(size)}`,
      ratio,
      goal: { is: 'least', value: 0.9 },
      note,
    };
  } finally {
    await peer.stop();
  }
}

function shownSize(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`;
}
