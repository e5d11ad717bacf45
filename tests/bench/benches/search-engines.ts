import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reviewLines } from '../../../src/dataset/document.ts';
import { SearchIndex } from '../../../src/search/search-index.ts';
import type { Tools } from '../bench.ts';
import { micros } from '../compare.ts';
import { readEdition } from '../editions.ts';
import { NaiveFilter } from '../naive-filter.ts';
import { queryMix } from '../query-mix.ts';
import type { Row } from '../report.ts';
import { SqliteSearch } from '../sqlite-search.ts';
import { median } from '../statistics.ts';

const REVIEWS = 10_000;
const ROUNDS = 5;
/** Few, because the peers take up to a tenth of a second for one. */
const QUERIES_A_ROUND = 60;
const WARM_UP_QUERIES = 2000;

/** Counts the matches of a query; every engine must agree. */
type Engine = (query: number) => number;

/** Compares the index with reading every review and with SQLite's trigram index, in one process. */
export async function searchEngines({ editions }: Tools): Promise<Row[]> {
  const { client } = await editions.of(REVIEWS);
  const { dataset, manifest } = await readEdition(client);
  const { names } = manifest;
  const mix = queryMix(dataset, names, ROUNDS * QUERIES_A_ROUND + WARM_UP_QUERIES);
  const index = new SearchIndex(reviewLines(await readFile(join(client, 'reviews.json'))), names);
  const naive = new NaiveFilter(dataset.reviews, names);
  const sqlite = new SqliteSearch(dataset.reviews, names);
  const peers: [string, Engine, number][] = [
    ['naive filter', (query) => naive.search(mix[query]!).length, 20],
    ['SQLite FTS5 trigram', (query) => sqlite.search(mix[query]!).matched, 25],
  ];
  const subject: Engine = (query) => index.search(mix[query]!).matched;

  for (let query = ROUNDS * QUERIES_A_ROUND; query < mix.length; query++) subject(query);
  try {
    return peers.map(([against, peer, least]) => ({
      work: `search in process, ${REVIEWS} reviews`,
      against,
      goal: { is: 'least', value: least },
      ...compare(subject, peer),
    }));
  } finally {
    sqlite.close();
  }
}

function compare(subject: Engine, peer: Engine): Pick<Row, 'ratio' | 'note'> {
  const times: { subject: number; peer: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const from = round * QUERIES_A_ROUND;
    const [own, ownMatches] = time(subject, from);
    const [other, otherMatches] = time(peer, from);
    const differing = ownMatches.findIndex((matched, at) => matched !== otherMatches[at]);
    if (differing !== -1) throw new Error(`the engines differ at query ${from + differing}`);
    times.push({ subject: own, peer: other });
  }
  const own = median(times.map(({ subject }) => subject));
  const other = median(times.map(({ peer }) => peer));
  return {
    ratio: median(times.map(({ subject, peer }) => peer / subject)),
    note: `mean of a query ${micros(own)} : ${micros(other)}`,
  };
}

/** Returns the microseconds per query and the number of matches of each. */
function time(engine: Engine, from: number): [number, number[]] {
  const started = performance.now();
  const matches = Array.from({ length: QUERIES_A_ROUND }, (_, at) => engine(from + at));
  return [((performance.now() - started) * 1000) / QUERIES_A_ROUND, matches];
}
