import { ImportError, Question } from './import-error.ts';
import { platformNamed } from './platform-name.ts';
import type { FieldMap } from './field-map.ts';
import { A_HANDFUL, numberIn } from './guess-fields.ts';
import { wordsOf } from './words.ts';
import type { Scale } from './values.ts';
import type { Format } from './known-formats.ts';
import { columnsOf, valuesAt, type Row } from './rows.ts';

/** The platforms whose best rating is known. */
const STATED: [best: number, platforms: string][] = [
  [
    5,
    'airbnb amazon app-store capterra etsy facebook feefo g2 google google-play judge-me kununu okendo opentable provenexpert reviews-io tripadvisor trusted-shops trustpilot uber-eats yelp yotpo',
  ],
  [6, 'holidaycheck'],
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
 * Returns the scale of each platform in a table: what a person said, unless platforms differ; the one of
 * the platform; that of the format; or what at least two ratings and a fifth of them show. One cell
 * never changes a scale, because it may be a typing error.
 *
 * @param said the ends of the scale, as a person stated them
 * @param platform of rows that name none
 * @param best the column with the best rating of its row, which nobody is asked about
 * @throws {Question} where ratings may be of two scales
 */
export function scalesOf(
  table: string,
  rows: readonly Row[],
  { rating: [column] = [], source: [place] = [] }: FieldMap,
  { scale: ofFormat }: Pick<Format, 'scale'>,
  { scale: said, worst }: { scale?: number | undefined; worst?: Scale['worst'] | undefined },
  platform = '',
  best?: string,
): Scales {
  const byPlatform = Map.groupBy(rows, (row) => platformNamed(String((place && row[place]) ?? '')));
  const scales = [...byPlatform].map(([name, own]): [string, Scale] => {
    const unsure = best === undefined ? own : own.filter((row) => !(Number(row[best]) > 0));
    const values = column === undefined ? [] : valuesAt(unsure, column);
    const ratings = values.map(numberIn).filter(Number.isFinite);
    const id = name || platformNamed(platform);
    const known = STATED_SCALES.get(id);
    const from = (best: number): [string, Scale] => {
      const isKnown = known !== undefined || ofFormat !== undefined;
      return [
        name,
        { best, worst: worst ?? (isKnown ? 1 : worstOf(table, column, ratings, best)) },
      ];
    };
    if (said !== undefined && (known === undefined || byPlatform.size === 1)) {
      refuseContradicted(table, column, ratings, said, known, worst);
      return from(said);
    }
    if (known === 5 && isInBubbles(ratings)) return from(BUBBLES);
    const stated = scaleInName(column ?? '') ?? known ?? ofFormat;
    refuseGrades(table, unsure, column ?? '', id, stated);
    const shown = shownScale(ratings);
    const perhaps =
      stated === undefined
        ? rarerScale(shown, ratings)
        : fits(ratings, stated)
          ? undefined
          : stated;
    if (perhaps === undefined) return from(stated ?? shown);
    throw new Question(
      'scale',
      `${table}: the ratings in ${column} may be out of ${perhaps} or of ${shown}: say which`,
      `${perhaps}' or --scale '${shown}`,
      String(shown),
    );
  });
  return new Map(scales);
}

/** Surveys that ask if one would recommend a business count from 0 to 10. */
const NPS =
  /\bnps\b|\bnet promoter\b|\b(?:likely|wahrscheinlich|probab\w+)\b.*\b(?:recom+\w*|empfehl\w*)/;

/**
 * Returns 0 where that is the worst rating, by the name of a column.
 *
 * @throws {Question} where it may be a rating or none
 */
function worstOf(
  table: string,
  column = '',
  ratings: readonly number[],
  best: number,
): Scale['worst'] {
  if (NPS.test(wordsOf(column)) || /\b0 ?[-–] ?\d/.test(column)) return 0;
  if (best <= 5 || !ratings.includes(0)) return 1;
  throw new Question(
    'scale',
    `${table}: ${column} has ratings of 0, which may be the worst ones or none: say which`,
    `0-${best}' or --scale '1-${best}`,
    `0-${best}`,
  );
}

/**
 * @throws {ImportError} for a stated scale that is not the platform's, or whose upper half nobody chose,
 *   unless both its ends are stated
 */
function refuseContradicted(
  table: string,
  column: string | undefined,
  ratings: readonly number[],
  said: number,
  known: number | undefined,
  worst: Scale['worst'] | undefined,
): void {
  const most = ratings.reduce((max, each) => Math.max(max, each), 0);
  const isOther = known !== undefined && known !== said && most <= known;
  const isFar = worst === undefined && most * (ratings.length > A_HANDFUL ? 2 : 10) <= said;
  if (!isOther && !isFar) return;
  const why = isOther ? `, and the platform's are out of ${known}` : '';
  throw new ImportError(
    `${table}: --scale ${said}: the ratings in ${column} go up to ${most}${why}: ` +
      `leave the option out${isOther ? '' : `, or say --scale 1-${said}`}`,
  );
}

/** Returns the best rating that the name of a column states: `Rating (1-10)`, `Note sur 20`. */
function scaleInName(column: string): number | undefined {
  const [, best] =
    /(?:\b[01] ?[-–] ?|\/ ?|\b(?:out of|von|sur|su|sobre|de|van) )(\d{1,3})\b/i.exec(column) ?? [];
  if (NPS.test(wordsOf(column))) return 10;
  const isUsual = best !== undefined && [...SCALES, 6, 20, BUBBLES].includes(Number(best));
  return isUsual ? Number(best) : undefined;
}

/** Scales, each of which ratings above the one before prove. */
const SCALES = [5, 10, 100];
/** Scales with ratings that another one has, too, by their best rating. */
const RARE_SCALES: Readonly<Record<number, readonly number[]>> = { 10: [6], 100: [20, BUBBLES] };

/** Returns the least scale that all but a few ratings fit into. */
function shownScale(ratings: readonly number[]): number {
  return SCALES.find((best) => fits(ratings, best)) ?? 5;
}

function fits(ratings: readonly number[], best: number): boolean {
  return aboveIn(ratings, best) < 2 || isRare(ratings, best);
}

function aboveIn(ratings: readonly number[], best: number): number {
  return ratings.filter((each) => each > best).length;
}

function isRare(ratings: readonly number[], best: number): boolean {
  return aboveIn(ratings, best) * 5 < ratings.length;
}

/** Returns another scale that ratings fit into as well. */
function rarerScale(scale: number, ratings: readonly number[]): number | undefined {
  if (ratings.length > 1 && !isRare(ratings, scale)) {
    return SCALES.find((best) => best > scale && aboveIn(ratings, best) === 0);
  }
  const most = ratings.reduce((max, each) => (each <= scale && each > max ? each : max), 0);
  return RARE_SCALES[scale]?.find((best) => most <= best);
}

function isInBubbles(ratings: readonly number[]): boolean {
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
  /^(?:best|max(?:imum)?|out of|scale)(?: (?:rating|value|score))?$|^(?:rating|score) (?:max|best|scale|out of)$/;

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
