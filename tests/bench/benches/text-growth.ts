import { REPEATED, worstGrowth } from '../../attack/families/build-growth.ts';
import type { Row } from '../report.ts';

const FROM = 4_000;
const PHRASES = Object.keys(REPEATED).length;

/** Measures how the time of each build step grows with a review that repeats one phrase. */
export async function textGrowth(): Promise<Row[]> {
  return worstGrowth(FROM).map(({ step, repeated, exponent, milliseconds }) => ({
    work: `${step}, worst of ${PHRASES} repeated phrases`,
    against: 'exponent',
    ratio: exponent,
    goal: { is: 'most', value: 1.2 },
    note: `${repeated}: ${milliseconds.toFixed(0)} ms for ${FROM * 8} characters`,
  }));
}
