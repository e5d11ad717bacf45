import { ImportError, Question } from './import-error.ts';
import { platformNamed } from './platform-name.ts';
import type { FieldMap } from './field-map.ts';
import { A_HANDFUL } from './column-values.ts';
import { wordsOf } from './words.ts';
import { numberIn, type Scale } from './ratings.ts';
import { columnsOf, stateAt, valuesAt, type Row } from './rows.ts';

/** The platforms whose best rating is known. */
const STATED: [best: number, platforms: string][] = [
  [4, 'atlassian atlassian-marketplace'],
  [
    5,
    'airbnb amazon app-store capterra etsy facebook feefo g2 google google-play judge-me kununu okendo opentable provenexpert reviews-io tripadvisor trusted-shops trustpilot uber-eats yelp yotpo',
  ],
  [6, 'holidaycheck quandoo'],
  [10, 'agoda booking expedia hostelworld hotels-com thefork'],
];
const STATED_SCALES = new Map(
  STATED.flatMap(([best, platforms]) => platforms.split(' ').map((each) => [each, best] as const)),
);

/** The scale of the rows of each platform; the empty name is that of rows that name none. */
export type Scales = ReadonlyMap<string, Scale>;

/** Bubbles of Tripadvisor, as the names of its pictures count them. */
const BUBBLES = 50;

/**
 * Returns the scale of each platform in a table: the one that a person stated, that the name of the column
 * states, or that of the platform; else 5, unless several ratings are above it. One cell never
 * changes a scale, because it may be a typing error.
 *
 * @param said the ends of the scale, as a person stated them
 * @param platform of rows that name none
 * @param best the column with the best rating of its row, which nobody is asked about
 * @throws {Question} where ratings may be of two scales
 */
export function scalesOf(
  table: string,
  rows: readonly Row[],
  { rating: [column = ''] = [], source: [place] = [] }: FieldMap,
  said: { scale?: number | undefined; worst?: Scale['worst'] | undefined },
  platform = '',
  best?: string,
): Scales {
  const byPlatform = Map.groupBy(rows, (row) =>
    platformNamed(String(((place && row[place]) ?? '') as string)),
  );
  // Some tools name the survey in a column of its own.
  const isNps = columnsOf(rows).some((name) => rows.every((row) => stateAt(row, name) === 'nps'));
  const survey = isNps ? `nps ${column}` : column;
  const scales = [...byPlatform].map(([name, all]): [string, Scale] => {
    const unsure = best === undefined ? all : all.filter((row) => !(Number(row[best]) > 0));
    const ratings = valuesAt(unsure, column).map(numberIn).filter(Number.isFinite);
    const id = name || platformNamed(platform);
    const known = STATED_SCALES.get(id);
    const isSaid = said.scale !== undefined && (known === undefined || byPlatform.size === 1);
    if (isSaid) refuseContradicted(table, column, ratings, said, known);
    else refuseGrades(table, unsure, column, id, scaleInName(survey) ?? known);
    const isInBubbles = known === 5 && areBubbles(ratings);
    const stated = isInBubbles ? BUBBLES : (scaleInName(survey) ?? known);
    const scale = isSaid ? said.scale! : (stated ?? 5);
    const worst = said.worst ?? (known === undefined ? worstOf(survey, ratings, scale) : 1);
    if (worst === undefined || (!isSaid && mayBeAbove(ratings, scale))) {
      throw scaleQuestion(table, column, ratings, scale);
    }
    return [name, { best: scale, worst }];
  });
  return new Map(scales);
}

/** Tells whether a fifth of the ratings is above a scale. */
function mayBeAbove(ratings: readonly number[], scale: number): boolean {
  const above = ratings.filter((each) => each > scale).length;
  return above > 0 && above * 5 >= ratings.length;
}

function scaleQuestion(
  table: string,
  column: string,
  ratings: readonly number[],
  scale: number,
): Question {
  const [lowest, highest] = [ratings.reduce(min), ratings.reduce(max)];
  const best = [scale, 6, 10, 20, BUBBLES, 100].find((each) => each >= highest) ?? 100;
  const ends = lowest === 0 ? [`0-${best}`, `1-${best}`] : [`${best}`, `${scale}`];
  return new Question(
    'scale',
    `${table}: the ratings in ${column} are from ${lowest} to ${highest}: say how much the best one is` +
      (lowest === 0 ? ', and if 0 is the worst one or none' : ''),
    ends.join("' or --scale '"),
    ends[0],
  );
}

const min = (one: number, other: number) => Math.min(one, other);
const max = (one: number, other: number) => Math.max(one, other);

/** Surveys that ask if one would recommend a business count from 0 to 10. */
const NPS =
  /\bnps\b|\bnet promoter\b|\b(?:likely|wahrscheinlich|probab\w+)\b.*\b(?:recom+\w*|empfehl\w*)/;

/** Returns 0 where that is the worst rating, by the name of a column; undefined where it may be. */
function worstOf(column: string, ratings: readonly number[], best: number) {
  if (NPS.test(wordsOf(column)) || /\b0 ?[-–] ?\d/.test(column)) return 0;
  return best > 5 && ratings.includes(0) ? undefined : 1;
}

/**
 * @throws {ImportError} for a stated scale that is not the platform's, or whose upper half nobody chose,
 *   unless both its ends are stated
 */
function refuseContradicted(
  table: string,
  column: string,
  ratings: readonly number[],
  { scale = 5, worst }: { scale?: number | undefined; worst?: Scale['worst'] | undefined },
  known: number | undefined,
): void {
  const highest = ratings.reduce(max, 0);
  const isOther = known !== undefined && known !== scale && highest <= known;
  const isFar = worst === undefined && highest * (ratings.length > A_HANDFUL ? 2 : 10) <= scale;
  if (!isOther && !isFar) return;
  const why = isOther ? `, and the platform's are out of ${known}` : '';
  throw new ImportError(
    `${table}: --scale ${scale}: the ratings in ${column} go up to ${highest}${why}: ` +
      `leave the option out${isOther ? '' : `, or say --scale 1-${scale}`}`,
  );
}

/** Returns the best rating that the name of a column states: `Rating (1-10)`, `Note sur 20`. */
function scaleInName(column: string): number | undefined {
  const [, best] =
    /(?:\b[01] ?[-–] ?|\/ ?|\b(?:out of|von|sur|su|sobre|de|van) )(5|6|10|20|50|100)\b/i.exec(
      column,
    ) ?? [];
  if (NPS.test(wordsOf(column))) return 10;
  return best === undefined ? undefined : Number(best);
}

function areBubbles(ratings: readonly number[]): boolean {
  const isBubble = (each: number) => each >= 10 && each <= BUBBLES && each % 5 === 0;
  return ratings.length > 1 && ratings.every(isBubble);
}

/** Names of columns that say it: `1 = sehr zufrieden`. */
const BEST_ONE =
  /\b1 ?[=:] ?(?:best|excellent|outstanding|(?:very|completely|extremely) (?:good|satisfied|happy)|sehr (?:gut|zufrieden)|très|muy (?:buen|satisf)|ottimo|molto (?:buon|soddisf)|muito (?:bo[am]|satisf)|zeer (?:goed|tevreden))|schulnote|zensur/i;

/** @throws {Question} where 1 may be the best: school grades, as German portals have them */
function refuseGrades(
  table: string,
  rows: readonly Row[],
  column: string,
  platform: string,
  stated: number | undefined,
): void {
  const numbers = valuesAt(rows, column).map(numberIn);
  if (numbers.length === 0 || !numbers.every((each) => each >= 1 && each <= 6)) return;
  const isGerman = columnsOf(rows).some((name) => /^(?:datum|kommentar|bewertung)$/i.test(name));
  // In French, Note is a rating; an average has decimals too, and is none of one review.
  const isBestOne = BEST_ONE.test(column);
  const isNamed = isBestOne || (isGerman && /^(?:gesamt)?note$/.test(wordsOf(column)));
  const hasTenths = stated === undefined && numbers.some((each) => !Number.isInteger(each * 2));
  const isUsual = platform === 'jameda' && !/stern|star/.test(wordsOf(column));
  if (!isNamed && !hasTenths && !isUsual) return;
  throw new Question(
    'scale',
    `${table}: ${column} may have school grades, of which 1 is the best. If they are, write stars ` +
      'instead; if 5 is the best, say so',
    '5',
  );
}

/** Names of the number beside a rating that says how much the best one is. */
const BEST =
  /^(?:overall )?(?:best|max(?:imum)?|out of|scale)(?: (?:rating|value|score))?$|^(?:rating|score) (?:max|best|scale|out of)$/;

/** Returns the column beside that of the ratings that has the best rating, if there is one. */
export function bestColumn(
  rows: readonly Row[],
  { rating: [column] = [] }: FieldMap,
): string | undefined {
  if (column === undefined) return undefined;
  const inside = column.slice(0, column.lastIndexOf('.') + 1);
  return columnsOf(rows).find(
    (name) => name.startsWith(inside) && BEST.test(wordsOf(name.slice(inside.length))),
  );
}
