import type { Editions } from './editions.ts';
import type { Row } from './report.ts';

/** The tools of a bench. */
export interface Tools {
  editions: Editions;
  /** For files of the bench; deleted after the run. */
  folder: string;
}

export type Bench = (tools: Tools) => Promise<Row[]>;
