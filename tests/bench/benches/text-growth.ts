import { OVERALL, readPack } from '../../../src/content/read-pack.ts';
import { insightsOf, vocabulary } from '../../support/engine.ts';
import { processorTimeOf } from '../../support/processor-time.ts';
import type { Row } from '../report.ts';

const pack = await readPack('home-services');
const people = vocabulary({
  technicians: [{ id: 'will-hope', name: 'Will Hope', ambiguous: ['Will', 'Hope'] }],
});
const words = { ...people, ...pack, aspects: [...pack.aspects, OVERALL] };
const read = (text: string) => insightsOf(words, [[1, text]]);

/** Texts that repeat what the rules look at, as a hostile or broken review would. */
const REPEATED: Readonly<Record<string, (index: number) => string>> = {
  'two terms with an opinion': () => 'on time friendly ',
  'sums of money': () => '$9 ',
  'clauses of one word': () => 'late, rude, ',
  'sentences of one word': () => 'Late. Great! ',
  'terms listed together': () => 'price and service and ',
  'terms beside opinions, each new': (index) => `great w${index} price, `,
  'phrases with gaps': () => 'showed up install not ',
  'ambiguous names in title case': () => 'Hopes Will Hope Will Being ',
  'clauses of somebody else': () => 'and because the other company ',
  negations: () => "didn't never not ",
  'hyphens and apostrophes': () => "on-time-'a'",
  'digits and dots': () => '1.1,a.b/',
  'quotation marks': () => '"great ("',
  'combining marks': () => `e${'\u0301\u0316'.repeat(15)}`,
  'one long word': () => 'é',
  'spaces and line breaks': () => ' \n\r\n ',
};

const FROM = 4_000;
const FACTOR = 8;
/** Less CPU time than this is not told from noise. */
const MIN_MS = 20;
/** The least of some runs counts, because other work of the machine only adds. */
const RUNS = 3;

/**
 * Measures how the time to read a review grows with the times that it repeats one phrase: the exponent
 * is 1 if twice the text takes twice the time.
 */
export async function textGrowth(): Promise<Row[]> {
  const growth = Object.entries(REPEATED).map(([repeated, piece]) => {
    const [short, long] = [FROM, FROM * FACTOR].map((length) => {
      const text = textOf(piece, length);
      const runs = Array.from({ length: RUNS }, () => processorTimeOf(() => read(text)));
      return Math.min(...runs);
    }) as [number, number];
    const exponent = long < MIN_MS ? 0 : Math.log(long / short) / Math.log(FACTOR);
    return { repeated, exponent, long };
  });
  const worst = growth.reduce((a, b) => (b.exponent > a.exponent ? b : a));
  return [
    {
      work: `insights, worst of ${growth.length} repeated phrases`,
      against: 'exponent',
      ratio: worst.exponent,
      goal: { is: 'max', value: 1.2 },
      note: `${worst.repeated}: ${worst.long.toFixed(0)} ms for the longer text`,
    },
  ];
}

function textOf(piece: (index: number) => string, length: number): string {
  let whole = '';
  for (let index = 0; whole.length < length; index++) whole += piece(index);
  return whole;
}
