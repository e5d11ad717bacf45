import { buildGrowth, FAMILIES, STEPS } from '../../attack/build-growth.ts';
import type { Row } from '../report.ts';

const FROM = 4_000;

/** Measures how the time a step of the build takes grows with a review that repeats one phrase. */
export async function textGrowth(): Promise<Row[]> {
  const measured = buildGrowth(FROM);
  return Object.keys(STEPS).map((step) => {
    const families = measured.filter((growth) => growth.step === step);
    const worst = families.reduce((a, b) => (b.exponent > a.exponent ? b : a));
    return {
      work: `${step}, ${Object.keys(FAMILIES).length} repeated phrases`,
      against: 'exponent',
      ratio: worst.exponent,
      goal: { is: 'most', value: 1.2 },
      note:
        worst.exponent === 0
          ? `under 20 ms for ${FROM * 8} characters`
          : `${worst.family}: ${worst.milliseconds.toFixed(0)} ms for ${FROM * 8} characters`,
    };
  });
}
