import type { Editions } from './editions.ts';
import type { LoadClient } from './load/load-client.ts';
import type { Row } from './report.ts';

/** What a bench may use. */
export interface Tools {
  editions: Editions;
  client: LoadClient;
  /** For what the bench writes; gone after the run. */
  folder: string;
}

export type Bench = (tools: Tools) => Promise<Row[]>;
