import { wordingOf } from '../../../src/messages/wording.ts';
import { findMatches } from '../../../src/view/matches.ts';
import { TextIndexBuilder } from '../../../src/search/text-index.ts';
import { publishReview } from '../../../src/dataset/publish.ts';
import { entryHtml, entrySummary, xmlSafe } from '../../../src/resources/feed.ts';
import type { Business } from '../../../src/schema/business.ts';
import { jsonLd, reviewOfBusiness } from '../../../src/view/json-ld.ts';
import { suggestNames } from '../../../src/owner/suggest-names.ts';
import type { ReviewRecord } from '../../../src/schema/review.ts';
import { insightsOf, vocabulary } from '../../support/engine.ts';
import type { Row } from '../report.ts';

const words = vocabulary({
  aspects: [
    {
      id: 'punctuality',
      label: 'Punctuality',
      terms: ['on time', 'late', 'arrived'],
      phrases: ['showed up … hour'],
      exclude: ['late fee'],
      yields_to: ['price'],
    },
    {
      id: 'price',
      label: 'Price',
      terms: ['price', 'expensive', '$', 'the bill'],
      subjects: ['#'],
    },
    { id: 'service', label: 'Service', terms: ['service', 'friendly', 'rude'] },
  ],
  technicians: [
    { id: 'will-hope', name: 'Will Hope', aliases: [], ambiguous: ['Will', 'Hope'] },
    { id: 'luis-ortega', name: 'Luis Ortega', aliases: ['Luis'], ambiguous: [] },
  ],
  services: [
    {
      id: 'furnace',
      label: 'Furnace repair',
      aliases: ['furnace', 'install … furnace'],
      exclude: ['furnace room'],
    },
  ],
  topics: [{ id: 'money', label: 'Money', terms: ['price', '$ #'], aspect_ids: ['price'] }],
  phrases: { 'worth every penny': 4, 'not … good': -2 },
});

/** Texts that repeat what the rules look at, as a hostile or broken review would. */
const REPEATED: Readonly<Record<string, (index: number) => string>> = {
  'a term': () => 'late ',
  'two terms with an opinion': () => 'on time friendly ',
  'sums of money': () => '$9 ',
  'clauses of one word': () => 'late, rude, ',
  'sentences of one word': () => 'Late. Great! ',
  'terms listed together': () => 'price and service and ',
  'terms beside opinions, each new': (index) => `great w${index} price, `,
  'opinions without end': () => 'great horrible ',
  'excluded phrases': () => 'late fee furnace room ',
  'phrases with gaps': () => 'showed up install not ',
  'ambiguous names in title case': () => 'Hopes Will Hope Will Being ',
  'names beside others': () => 'my brother Luis will ',
  'clauses of somebody else': () => 'and because the other company ',
  'words that join clauses': () => 'and since ',
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
  'names to look at': (text) => suggestNames([record(text)], words),
  'search index': (text) => {
    const index = new TextIndexBuilder();
    index.add([text]);
    return index.finish();
  },
  'marked matches': (text) => findMatches(text, 'a'),
  'feeds and structured data': (text) => {
    const review = publishReview(record(text), { technicians: [], services: [] }, 'http://a.test');
    return [
      xmlSafe(entryHtml(review, wordingOf())),
      entrySummary(review, wordingOf()),
      jsonLd(reviewOfBusiness(review, { name: 'A' } as Business, 'http://a.test')),
    ];
  },
};

interface Growth {
  /** A key of REPEATED. */
  repeated: string;
  /** 1: twice the text takes twice the time. */
  exponent: number;
  /** CPU time for the longer text. */
  milliseconds: number;
}

const FROM = 4_000;
/** Less CPU time than this is not told from noise. */
const LEAST_MS = 20;
/** Once a text takes this long, no longer one is tried. */
const LONG_MS = 3_000;
/** A faster growth is measured again, because other work of the machine only adds. */
const LINEAR = 1.1;
const AGAIN = 4;

/** Measures how the time of each build step grows with a review that repeats one phrase. */
export async function textGrowth(): Promise<Row[]> {
  return Object.entries(STEPS).map(([step, run]) => {
    const growth = Object.entries(REPEATED).map(([repeated, piece]) =>
      growthOf(run, repeated, piece),
    );
    const worst = growth.reduce((a, b) => (b.exponent > a.exponent ? b : a));
    return {
      work: `${step}, worst of ${growth.length} repeated phrases`,
      against: 'exponent',
      ratio: worst.exponent,
      goal: { is: 'most', value: 1.2 },
      note: `${worst.repeated}: ${worst.milliseconds.toFixed(0)} ms for the longest text`,
    };
  });
}

/** The longest text is eight times as long as the shortest. */
function growthOf(
  run: (text: string) => unknown,
  repeated: string,
  piece: (index: number) => string,
): Growth {
  const measure = (factor: number) => {
    const long = text(piece, FROM * factor);
    return cpuMilliseconds(() => run(long));
  };
  run(text(piece, FROM)); // compiled code is measured, not its compiler
  const first = Math.min(measure(1), measure(1), measure(1));
  let factor = 2;
  let milliseconds = measure(factor);
  while (factor < 8 && milliseconds < LONG_MS) milliseconds = measure((factor *= 2));
  if (milliseconds < LEAST_MS) return { repeated, exponent: 0, milliseconds };
  const exponent = () => Math.log(milliseconds / first) / Math.log(factor);
  for (let again = 0; again < AGAIN && exponent() > LINEAR; again++) {
    milliseconds = Math.min(milliseconds, measure(factor));
  }
  return { repeated, exponent: exponent(), milliseconds };
}

function text(piece: (index: number) => string, length: number): string {
  let whole = '';
  for (let index = 0; whole.length < length; index++) whole += piece(index);
  return whole;
}

function record(text: string): ReviewRecord {
  const id = '01J00000000000000000000000';
  return { id, author: 'A', rating: 1, date: '2026-01-01', text, source: 'google', verified: true };
}

function cpuMilliseconds(work: () => unknown): number {
  const { user, system } = process.cpuUsage();
  work();
  const after = process.cpuUsage();
  return (after.user + after.system - user - system) / 1000;
}
