import { OVERALL, readPack } from '../../../src/content/read-pack.ts';
import { wordingOf } from '../../../src/messages/wording.ts';
import { publishReview } from '../../../src/dataset/publish.ts';
import { entryHtml, entrySummary, xmlSafe } from '../../../src/resources/feed.ts';
import { TextIndexBuilder } from '../../../src/search/text-index.ts';
import { findMatches } from '../../../src/view/matches.ts';
import { insightsOf, vocabulary } from '../../support/engine.ts';
import { record } from '../../support/reviews.ts';
import type { Row } from '../report.ts';

const pack = await readPack('home-services');
const people = vocabulary({
  technicians: [{ id: 'will-hope', name: 'Will Hope', ambiguous: ['Will', 'Hope'] }],
});
const words = { ...people, ...pack, aspects: [...pack.aspects, OVERALL] };

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

/** The steps of a build that read the text of a review, each as a function of that text. */
const STEPS: Readonly<Record<string, (text: string) => unknown>> = {
  insights: (text) => insightsOf(words, [[1, text]]),
  'search index': (text) => {
    const index = new TextIndexBuilder();
    index.add([text]);
    return index.finish();
  },
  'marked matches': (text) => findMatches(text, 'a'),
  feeds: (text) => {
    const review = publishReview(record({ text }), { technicians: [], services: [] }, 'http://a');
    return [xmlSafe(entryHtml(review, wordingOf())), entrySummary(review, wordingOf())];
  },
};

const FROM = 4_000;
const FACTOR = 8;
/** Less CPU time than this is not told from noise. */
const LEAST_MS = 20;
/** The least of some runs counts, because other work of the machine only adds. */
const RUNS = 3;

/**
 * Measures how the time of each build step grows with a review that repeats one phrase: the exponent
 * is 1 if twice the text takes twice the time.
 */
export async function textGrowth(): Promise<Row[]> {
  return Object.entries(STEPS).map(([step, run]) => {
    const growth = Object.entries(REPEATED).map(([repeated, piece]) => {
      const [short, long] = [FROM, FROM * FACTOR].map((length) => {
        const text = textOf(piece, length);
        return Math.min(...Array.from({ length: RUNS }, () => cpuMilliseconds(() => run(text))));
      }) as [number, number];
      const exponent = long < LEAST_MS ? 0 : Math.log(long / short) / Math.log(FACTOR);
      return { repeated, exponent, long };
    });
    const worst = growth.reduce((a, b) => (b.exponent > a.exponent ? b : a));
    return {
      work: `${step}, worst of ${growth.length} repeated phrases`,
      against: 'exponent',
      ratio: worst.exponent,
      goal: { is: 'most', value: 1.2 },
      note: `${worst.repeated}: ${worst.long.toFixed(0)} ms for the longer text`,
    };
  });
}

function textOf(piece: (index: number) => string, length: number): string {
  let whole = '';
  for (let index = 0; whole.length < length; index++) whole += piece(index);
  return whole;
}

function cpuMilliseconds(work: () => unknown): number {
  const { user, system } = process.cpuUsage();
  work();
  const after = process.cpuUsage();
  return (after.user + after.system - user - system) / 1000;
}
