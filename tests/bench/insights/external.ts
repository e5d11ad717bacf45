import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AspectFinder, type AspectForms } from '../../../src/insights/analyze/aspect-finder.ts';
import { sentimentLexicon } from '../../../src/insights/analyze/opinions.ts';
import {
  evidenceAt,
  polarity,
  evidenceOf,
  score,
  sumEvidence,
} from '../../../src/insights/analyze/polarity.ts';
import { readText } from '../../../src/insights/analyze/read-text.ts';
import { Targets } from '../../../src/insights/analyze/targets.ts';
import type { Sentiment } from '../../../src/schema/insights.ts';
import { ROOT } from '../../support/fixtures.ts';

/** A sentence and its sentiment about one target: a category, or the words at an offset. */
export interface Sentence {
  text: string;
  gold: Sentiment;
  category?: string;
  offset?: number;
}

/** Without trade words, because these sets are from other trades. */
const lexicon = sentimentLexicon({ words: {}, phrases: {} });
const taxonomy = JSON.parse(
  readFileSync(join(ROOT, 'tests/fixtures/taxonomies/restaurants.json'), 'utf8'),
) as AspectForms[];
const finder = new AspectFinder(taxonomy);

/** Returns the engine's polarity, without stars; of the sentence if no term is found. */
export function judge({ text, category, offset }: Sentence): Sentiment {
  const read = readText(text, lexicon);
  const found = offset === undefined ? finder.find(read) : [];
  const hits =
    offset === undefined
      ? found.flatMap(({ aspect, at }) => (aspect === category ? [at] : []))
      : [read.tokens.findIndex(({ end }) => end > offset)].filter((at) => at >= 0);
  if (hits.length === 0) return polarity(textScore(text));
  const targets = new Targets(read.tokens, [...found.map(({ at }) => at), ...hits]);
  const { good, bad } = sumEvidence(hits.map((at) => evidenceAt(read, at, targets)));
  const mean = { good: good / hits.length, bad: bad / hits.length, count: hits.length };
  return polarity(score(mean, 3));
}

/** Scores a text by its words alone. */
export function textScore(text: string): number {
  const { opinions } = readText(text, lexicon);
  return score(sumEvidence(opinions.map((opinion) => evidenceOf(opinion, 1))), 3);
}

/** Reads the sentences of a SemEval-style XML file; undefined if it is missing. */
export function readCategories(file: string): Sentence[] | undefined {
  if (!existsSync(file)) return undefined;
  const sentences = readFileSync(file, 'utf8').matchAll(/<sentence[^>]*>([\s\S]*?)<\/sentence>/g);
  return [...sentences].flatMap(([, body]) => {
    const text = unescape(/<text>([\s\S]*?)<\/text>/.exec(body!)?.[1] ?? '');
    const marks = body!.matchAll(/<aspectCategory category="([^"]+)" polarity="(\w+)"/g);
    return [...marks].flatMap(([, category, gold]) =>
      isSentiment(gold) ? [{ text, gold, category: category! }] : [],
    );
  });
}

/** Reads sentences of three lines each: text with `$T$`, the term, its polarity. */
export function readTerms(file: string): Sentence[] | undefined {
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const sentences: Sentence[] = [];
  for (let at = 0; at + 2 < lines.length; at += 3) {
    const [text, term, gold] = lines.slice(at, at + 3) as [string, string, string];
    const said = gold.trim().toLowerCase();
    const offset = text.indexOf('$T$');
    if (isSentiment(said)) sentences.push({ text: text.replace('$T$', term), gold: said, offset });
  }
  return sentences;
}

/**
 * Reads stars and text from a file of reviews (columns `text` and `rating`); undefined if it is
 * missing.
 */
export function readRatedTexts(file: string): { text: string; rating: number }[] | undefined {
  if (!existsSync(file)) return undefined;
  const [head, ...rows] = parseCsv(readFileSync(file, 'utf8'));
  const text = head!.indexOf('text');
  const rating = head!.indexOf('rating');
  return rows.map((row) => ({ text: row[text] ?? '', rating: Number(row[rating]) }));
}

/** Parses CSV (RFC 4180). */
function parseCsv(source: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of source.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\r?\n|$)/g,
  )) {
    rows.at(-1)!.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
    if (end !== ',') rows.push([]);
  }
  return rows.filter((row) => row.length > 1);
}

function isSentiment(word: string | undefined): word is Sentiment {
  return word === 'positive' || word === 'neutral' || word === 'negative';
}

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}
