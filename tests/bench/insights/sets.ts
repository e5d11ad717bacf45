import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { AspectFinder, type AspectForms } from '../../../src/insights/analyze/aspect-finder.ts';
import { Judge, type Judgement } from '../../../src/insights/analyze/judge.ts';
import type { PolarityModel } from '../../../src/insights/analyze/polarity-model.ts';
import { sentimentLexicon } from '../../../src/insights/analyze/opinions.ts';
import { readText, type ReadText } from '../../../src/insights/analyze/read-text.ts';
import type { Hit } from '../../../src/insights/analyze/spans.ts';
import type { TradePack } from '../../../src/schema/trade.ts';
import type { Sentiment } from '../../../src/schema/insights.ts';
import { ROOT } from '../../support/fixtures.ts';
import { child, descendants, parseDocument } from '../../support/parse-xml.ts';

/** A text with its sentiment about one target. */
export interface Mention {
  text: ReadText;
  /** The words of the target; none if the text as a whole is meant. */
  hits: readonly Hit[];
  /** The words of every target of the text. */
  found: readonly Hit[];
  gold: Sentiment;
  /** Stars of the review; 3 if the set has none. */
  stars: number;
}

/** Judges a mention; the text as a whole if no words of the target are found. */
export function judgeMention(
  { text, found, hits, stars }: Mention,
  model: PolarityModel,
): Judgement {
  const judge = new Judge(text, found, model);
  return hits.length > 0 ? judge.target(hits, stars) : judge.all(stars);
}

/** Without trade words, because these sets are from other trades. */
const PLAIN_LEXICON = sentimentLexicon({ words: {}, phrases: {} });

/** Reads the taxonomy of the restaurant sets: their categories. */
export function restaurants(): AspectForms[] {
  const file = join(ROOT, 'tests/fixtures/taxonomies/restaurants.json');
  return JSON.parse(readFileSync(file, 'utf8')) as AspectForms[];
}

/** Reads a SemEval-style XML file that labels categories; `rename` maps other names to ours. */
export function readCategories(file: string, rename = (category: string) => category): Mention[] {
  const finder = new AspectFinder(restaurants());
  return sentences(file).flatMap(({ text, labels }) => {
    const found = finder.find(text);
    return labels.flatMap(({ category, polarity: gold }) => {
      if (category === undefined || !isSentiment(gold)) return [];
      const hits = found.filter(({ aspect }) => aspect === rename(category));
      return [{ text, hits, found, gold, stars: 3 }];
    });
  });
}

/** Returns the category of SemEval-2014 for one of SemEval-2016. */
export function categoryOf2014(category: string): string {
  const [entity, attribute] = category.split('#');
  if (attribute === 'PRICES') return 'price';
  if (entity === 'FOOD' || entity === 'DRINKS') return 'food';
  return entity!.toLowerCase();
}

/** Reads a SemEval-style XML file that labels words by their offsets. */
export function readAspectTerms(file: string): Mention[] {
  return sentences(file).flatMap(({ source, text, labels }) => {
    const terms = labels.flatMap(({ term, from: stated, polarity: gold }) => {
      if (term === undefined) return [];
      const from = source.startsWith(term, Number(stated)) ? Number(stated) : source.indexOf(term);
      return { hit: hitAt(text, from, from + term.length), gold };
    });
    const found = terms.flatMap(({ hit }) => hit ?? []);
    return terms.flatMap(({ hit, gold }) =>
      hit && isSentiment(gold) ? [{ text, hits: [hit], found, gold, stars: 3 }] : [],
    );
  });
}

interface Quadruples {
  raw_words: string;
  quadruples: { aspect: { from: number; to: number }; sentiment: 'POS' | 'NEG' | 'NEU' }[];
}

const SIDES = { POS: 'positive', NEG: 'negative', NEU: 'neutral' } as const;

/** Reads sentences whose terms are numbers of words; a term of no words is the sentence as a whole. */
export function readQuadruples(file: string): Mention[] {
  const labeled = JSON.parse(readFileSync(file, 'utf8')) as Quadruples[];
  return labeled.flatMap(({ raw_words: source, quadruples }) => {
    const text = readText(source, PLAIN_LEXICON);
    const words = source.split(' ');
    const offset = (word: number) => words.slice(0, word).join(' ').length;
    const terms = quadruples.map(({ aspect: { from, to }, sentiment }) => ({
      hits: from < 0 ? [] : [hitAt(text, from === 0 ? 0 : offset(from) + 1, offset(to))!],
      gold: SIDES[sentiment],
    }));
    const found = terms.flatMap(({ hits }) => hits);
    return terms.map((term) => ({ text, ...term, found, stars: 3 }));
  });
}

/** Fields of hotel reviews that only say there is nothing to say. */
const NOTHING = /^(?:nothing.*|no negative|no positive|none|n a|all|everything|.{0,5})$/i;

/**
 * Reads hotel reviews whose praise and criticism are two fields. The engine sees both as one text,
 * and the field that a mention is in is its gold label.
 */
export function readPraiseAndBlame(file: string, { aspects, lexicon }: TradePack): Mention[] {
  const finder = new AspectFinder(aspects);
  const scores = sentimentLexicon(lexicon);
  return readCsv(file).flatMap((row) => {
    const score = Number(row.score);
    const [praise, blame] = [row.positive, row.negative].map((field) => {
      const said = (field ?? '').trim();
      return said === '' || NOTHING.test(said) ? '' : `${said}.`;
    }) as [string, string];
    if (!(score > 0) || (!praise && !blame)) return [];
    const text = readText([praise, blame].filter(Boolean).join('\n'), scores);
    const found = finder.find(text);
    const stars = Math.max(1, Math.min(5, Math.round(score / 2)));
    return [...Map.groupBy(found, ({ aspect }) => aspect).values()].flatMap((hits): Mention[] => {
      const praising = hits.filter(({ at }) => text.tokens[at]!.start < praise.length).length;
      if (praising > 0 && praising < hits.length) return [];
      return [{ text, hits, found, gold: praising > 0 ? 'positive' : 'negative', stars }];
    });
  });
}

/** Reads the fields of such reviews as texts, most of which have no punctuation. */
export function readUnpunctuated(file: string): string[] {
  return readCsv(file).flatMap(({ positive = '', negative = '' }) => [positive, negative]);
}

function readCsv(file: string): Record<string, string>[] {
  const options = { columns: true, relax_column_count: true, bom: true } as const;
  return parse(readFileSync(file, 'utf8'), options) as Record<string, string>[];
}

/** Reads the sentences of a file, each with the attributes of its labels. */
function sentences(file: string) {
  const root = parseDocument(readFileSync(file, 'utf8'));
  return descendants(root, 'sentence').map((sentence) => {
    const source = child(sentence, 'text').text;
    const labels = ['aspectTerm', 'aspectCategory', 'Opinion'].flatMap((name) =>
      descendants(sentence, name).map(({ attributes }) => attributes),
    );
    return { source, text: readText(source, PLAIN_LEXICON), labels };
  });
}

/** Returns the words between two offsets of a text. */
export function hitAt({ tokens }: ReadText, from: number, end: number): Hit | undefined {
  const at = tokens.findIndex((token) => token.end > from);
  if (from < 0 || at < 0) return undefined;
  const after = tokens.findIndex(({ start }) => start >= end);
  return { at, length: Math.max(1, (after < 0 ? tokens.length : after) - at) };
}

function isSentiment(word: string | undefined): word is Sentiment {
  return word === 'positive' || word === 'neutral' || word === 'negative';
}
