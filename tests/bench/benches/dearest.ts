import { dearestRequests } from '../../support/dearest-requests.ts';
import { readDataset } from '../../support/edition.ts';
import { processorTime } from '../../support/processor-time.ts';
import { median } from '../../support/statistics.ts';
import { appOf } from '../../support/targets.ts';
import type { Tools } from '../bench.ts';
import type { Row } from '../report.ts';

const ROUNDS = 5;
/** Milliseconds of processor time: of an answer, and of a turn of the event loop. */
const MAX_MS = { answer: 30, turn: 10 };
const SHOWN = 3;

type Cost = Record<keyof typeof MAX_MS, number>;

/** Measures the dearest requests of every endpoint and tool, which no client can make dearer. */
export async function dearest({ editions, size }: Tools): Promise<Row[]> {
  const { client } = await editions.of(size);
  const app = await appOf(client);
  const dataset = await readDataset(client);
  const costs = new Map<string, Cost[]>();
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { name, path, init } of dearestRequests(dataset, round)) {
      const cost = await costOf(() => app.request(path, init));
      if (round > 0) costs.set(name, [...(costs.get(name) ?? []), cost]);
    }
  }
  return (['answer', 'turn'] as const).map((kind) => {
    const medians = Array.from(costs, ([name, each]) => ({
      name,
      ms: median(each.map((cost) => cost[kind])),
    })).sort((a, b) => b.ms - a.ms);
    const shown = medians.slice(0, SHOWN).map(({ name, ms }) => `${name} ${ms.toFixed(1)}`);
    return {
      work: `dearest ${kind}, ${size} reviews`,
      against: `${MAX_MS[kind]} ms of processor time`,
      ratio: medians[0]!.ms / MAX_MS[kind],
      goal: { is: 'max', value: 1 },
      note: shown.join('; '),
    };
  });
}

/** Returns the processor time of work in milliseconds, and that of its longest turn of the event loop. */
async function costOf(work: () => Promise<unknown> | unknown): Promise<Cost> {
  const began = processorTime();
  let [turn, last, isDone] = [0, began, false];
  const look = (): void => {
    const now = processorTime();
    [turn, last] = [Math.max(turn, now - last), now];
    if (!isDone) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isDone = true;
  const now = processorTime();
  return { answer: now - began, turn: Math.max(turn, now - last) };
}
