import type { Editions } from './editions.ts';
import type { Row } from './report.ts';

/** The tools of a bench. */
export interface Tools {
  editions: Editions;
  /** Reviews of the edition, or subscriptions; 10,000 is what the service is made for. */
  size: number;
  /** For files of the bench; deleted after the run. */
  folder: string;
}

export type Bench = (tools: Tools) => Promise<Row[]>;
