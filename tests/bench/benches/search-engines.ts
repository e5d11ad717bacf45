import { median } from '../../support/statistics.ts';
import { openFolder } from '../../support/targets.ts';
import type { Tools } from '../bench.ts';
import { micros } from '../compare.ts';
import { readEdition } from '../editions.ts';
import { queryMix } from '../query-mix.ts';
import type { Row } from '../report.ts';
import { SqliteSearch } from '../sqlite-search.ts';

const ROUNDS = 5;
/** Few, because SQLite takes up to a tenth of a second for one. */
const QUERIES_A_ROUND = 60;
const WARM_UP_QUERIES = 2000;

/** Counts the matches of a query; both engines must agree. */
type Engine = (query: number) => number;

/** Compares the index with SQLite's trigram index, in one process. */
export async function searchEngines({ editions, size }: Tools): Promise<Row[]> {
  const { client } = await editions.of(size);
  const { dataset, manifest } = await readEdition(client);
  const { names } = manifest;
  const mix = queryMix(dataset, names, ROUNDS * QUERIES_A_ROUND + WARM_UP_QUERIES);
  const { search: index } = await openFolder(client);
  const sqlite = new SqliteSearch(dataset.reviews, names);
  const subject: Engine = (query) => index.search(mix[query]!).matched;
  const peer: Engine = (query) => sqlite.search(mix[query]!);

  for (let query = ROUNDS * QUERIES_A_ROUND; query < mix.length; query++) subject(query);
  const times: { own: number; other: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const from = round * QUERIES_A_ROUND;
    const [own, ownMatches] = time(subject, from);
    const [other, otherMatches] = time(peer, from);
    const differing = ownMatches.findIndex((matched, at) => matched !== otherMatches[at]);
    if (differing !== -1) throw new Error(`the engines differ at query ${from + differing}`);
    times.push({ own, other });
  }
  const own = median(times.map(({ own }) => own));
  const other = median(times.map(({ other }) => other));
  return [
    {
      work: `search in process, ${size} reviews`,
      against: 'SQLite FTS5 trigram; CPU',
      ratio: median(times.map(({ own, other }) => other / own)),
      goal: { is: 'min', value: 20 },
      reason: 'texts are read for strings of short or frequent words, as it’s or "in the"',
      note: `mean of a query ${micros(own)} : ${micros(other)}`,
    },
  ];
}

/** Returns the microseconds of processor time per query and the number of matches of each. */
function time(engine: Engine, from: number): [number, number[]] {
  const started = process.cpuUsage();
  const matches = Array.from({ length: QUERIES_A_ROUND }, (_, at) => engine(from + at));
  const { user, system } = process.cpuUsage(started);
  return [(user + system) / QUERIES_A_ROUND, matches];
}
