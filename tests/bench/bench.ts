import type { Editions } from './editions.ts';
import type { LoadClient } from './load/load-client.ts';
import type { Row } from './report.ts';

/** The tools of a bench. */
export interface Tools {
  editions: Editions;
  client: LoadClient;
  /** For files of the bench; deleted after the run. */
  folder: string;
}

export type Bench = (tools: Tools) => Promise<Row[]>;
