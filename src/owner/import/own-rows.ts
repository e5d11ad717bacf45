import type { Answers } from './answers.ts';
import { nameInside } from './column-names.ts';
import { pattern, wordsOf } from './words.ts';
import { ImportError, Question } from './import-error.ts';
import { OUTER_PLACE } from './outer-names.ts';
import { type Condition, countsAt, listed, meets, type Row, type ValueCounts } from './rows.ts';
import { saysYes } from './row-states.ts';

const NAMED = '(?: info)?(?: (?:id|uid|name|title|code|slug|url|link|number|key|nr))?';
/** Columns that name the place of a review. */
const PLACE = pattern(
  `(?:google |gmb |yelp |tripadvisor |our )?{place}${NAMED}|google id|cid|fid|data id|kgmid|location (?:u?id|name|code)|company (?:id|name)|domain(?: name)?`,
);
/** Columns that may name a place or a thing, or else something of the author: repeated values tell. */
const PERHAPS = pattern(
  `(?!(?:reviewer|author|user|customer|guest|billing|shipping|e|ip|first|last|start|end) )(?:\\w+ )?(?:{place}|{product}|merchant|entity|account|profile|unterkunft|lieu|ort|city|stadt|ville|objekt|alojamiento|alloggio|logement|apartment|location|address|adresse|website|domain|company|site|page|name|title|user|customer|sku|asin)${NAMED}|(?:\\w+ )*{product}${NAMED}`,
);

/** Among reviews of products, those of the business have none of these. */
const PRODUCT = pattern('{product} (?:id|sku|code|number|nr)|sku|asin|ean|gtin');
/** Columns that say what kind of record a row is, or who wrote it. */
const KIND = pattern(
  '(?:review(?:er)? |rating |comment |author |user |record |row |item |entity |post |entry |survey )?(?:type|kind|role|art|typ|tipo)|from|written by|direction',
);
/** Kinds that are no reviews of the business by a customer. */
const OTHER_KINDS = pattern(
  '(?:{product}|menu item|sku|competitor|driver|rider|courier|delivery(?: person)?|{people}(?: to \\w+)?)(?: (?:review|rating)s?)?|(?:owner |admin |staff )?(?:comment|{reply})|questions?|q a|faq|note|order note|pingback|trackback|draft|page|given|written',
);
/** The kind of a row that is a review, and those of rows beside it that are about what is reviewed. */
const REVIEW = pattern('{whole}');
const OURS = pattern('{whole}|ratings?|recommend\\w*|survey|bewertung|store|site', true);
const ABOUT_ALL = pattern('{place}|company|summary|aggregate|overview|profile|stat(?:istic)?s');
/** People that only a review about them has as its kind. */
const REVIEWED = pattern('client|customer|guest|buyer|kunde|gast');
/** Columns that say yes of a row that is no review of the business by a customer. */
const OTHER = pattern(
  '(?:is |by )?(?:competitor|rival|konkurrenz|syndicated|{people})(?: (?:author|review|reviewer))?',
);
/** Columns that name the row which this one answers. */
const ANSWERED = /\b(?:parent|in reply to|reply to)\b/;
/** Columns about the words of a review: a topic called product is none of its kinds. */
const TOPIC =
  /topic|tag|aspect|theme|reason|sentiment|repl|respon|^(?:what|how|why|was|wie|warum|que|quoi|cosa|come) /;

const MAX_GROUPS = 12;
const LONGEST_GROUP = 60;

/**
 * Finds the columns that tell which rows are reviews of the business by a customer: by name, or because
 * a value is the name of the business or a kind of something else.
 *
 * @param columns those without another meaning
 * @param places those that a format names
 * @param business its name
 * @returns the condition that such rows meet
 * @throws {Question} where nobody said which place or kind is the business
 */
export function ownIn(
  table: string,
  rows: readonly Row[],
  columns: readonly string[],
  places: readonly string[] | undefined,
  ids: readonly string[],
  { place = [] }: Answers,
  business: string,
): Condition {
  const own = decidedIn(rows, columns, ids);
  const wanted = place.map((each) => each.trim().toLowerCase());
  if (wanted.includes('*')) return own;
  const found = [...new Set([...(places ?? []), OUTER_PLACE, ...columns])]
    .filter((column) => !Object.hasOwn(own, column))
    .filter(
      (column) =>
        isPlaceName(column, places) ||
        isAbout(
          wordsOf(column),
          countsAt(rows, column, MAX_GROUPS + 1),
          places !== undefined,
          business,
        ),
    )
    .map((column) => ({ column, counts: countsAt(rows, column) }))
    .filter(({ counts }) => counts.size > 1 || !counts.has(''));
  if (wanted.length > 0 && found.length === 0) {
    throw new ImportError(
      `${table}: no column names a place, so --place ${place.join(', ')} matches nothing`,
    );
  }
  const answered: Record<string, ReadonlySet<string>> = {};
  for (const each of wanted) {
    const column = found.find(({ counts }) => counts.has(each))?.column;
    if (column === undefined) continue;
    answered[column] = new Set([...(answered[column] ?? ['']), each]);
  }
  const left = rows.filter((row) => meets(row, own) && meets(row, answered));
  const open = found.find(({ column }) => {
    if (Object.hasOwn(answered, column)) return false;
    const counts = countsAt(left, column);
    const isPlace = isPlaceName(column, places);
    // The only place of a file may be another than the business.
    const isMissing = wanted.length > 0 && isPlace && Object.keys(answered).length === 0;
    return isMissing || counts.size - Number(isPlace && counts.has('')) > 1;
  });
  if (!open) return { ...own, ...answered };
  const nameOf = (row: Row) => {
    const names = [open, ...found].map(({ column }) => String(row[column] ?? ''));
    return [...new Set(names)].filter((name) => name !== '').slice(0, 3);
  };
  const named = Map.groupBy(left, (row) => nameOf(row).join(' = '));
  const counts = new Map([...named].map(([name, { length }]) => [name, length]));
  const valueOf = (row: Row) => String(row[open.column] ?? '');
  const example =
    left.find((row) => isNamed(valueOf(row), business) || REVIEW.test(wordsOf(valueOf(row)))) ??
    left.find((row) => !OTHER_KINDS.test(wordsOf(valueOf(row))));
  throw new Question(
    'place',
    `${table}: has reviews of several places or kinds in ${open.column}: ${listed(counts)}\n` +
      'Say which are of this business, each with the option, or * for all',
    valueOf(example ?? left[0]!),
    '*',
  );
}

/** Returns the conditions about which nobody needs to be asked. */
function decidedIn(
  rows: readonly Row[],
  columns: readonly string[],
  ids: readonly string[],
): Record<string, ReadonlySet<string>> {
  const own: Record<string, ReadonlySet<string>> = {};
  for (const column of columns) {
    const name = nameInside(column);
    if (![KIND, OTHER, ANSWERED].some((names) => names.test(name))) continue;
    const values = [...countsAt(rows, column).keys()];
    // A buyer may be the author, or the person who is judged.
    const isOfBoth = name === 'role' && values.some((value) => REVIEWED.test(wordsOf(value)));
    const areBesideReviews = values.some((value) => REVIEW.test(wordsOf(value)));
    const isOther = (value: string) => {
      if (KIND.test(name) && areBesideReviews && ABOUT_ALL.test(wordsOf(value))) return true;
      if (KIND.test(name)) return !isOfBoth && OTHER_KINDS.test(wordsOf(value));
      if (OTHER.test(name)) return saysYes(value) === true;
      return ANSWERED.test(name) && ids.includes(value);
    };
    const ours = values.filter((value) => !isOther(value));
    if (ours.length < values.length) own[column] = new Set([...ours, '']);
  }
  return own;
}

/** Tells whether a column has the name of a place; a format names all that it has. */
function isPlaceName(column: string, places: readonly string[] | undefined): boolean {
  if (column === OUTER_PLACE || places?.includes(column)) return true;
  return places === undefined && PLACE.test(wordsOf(column));
}

/** Tells whether a column may say which place or kind of thing its reviews are about. */
function isAbout(name: string, counts: ValueCounts, isFormat: boolean, business: string): boolean {
  const values = [...counts.keys()].filter((value) => value !== '');
  const filled = values.reduce((sum, value) => sum + counts.get(value)!, 0);
  if (values.length > MAX_GROUPS || values.some(({ length }) => length > LONGEST_GROUP))
    return false;
  if (counts.size < 2 || TOPIC.test(name)) return false;
  if (values.length > 1 && values.some((value) => isNamed(value, business))) return true;
  const isReviewed = /reviewee|reviewed/.test(name);
  const isKind = (value: string) =>
    OTHER_KINDS.test(wordsOf(value)) || (isReviewed && REVIEWED.test(wordsOf(value)));
  if (values.some(isKind)) return true;
  const kinds = KIND.test(name) ? values.map(wordsOf) : [];
  if (kinds.some((kind) => REVIEW.test(kind)) && kinds.some((kind) => !OURS.test(kind)))
    return true;
  const isPartly = counts.has('') && PRODUCT.test(name);
  return !isFormat && (isPartly || (values.length * 4 <= filled * 3 && PERHAPS.test(name)));
}

/** Tells whether a value is the name of the business, or that of one of its places. */
function isNamed(value: string, business: string): boolean {
  const name = wordsOf(business);
  return name !== '' && ` ${wordsOf(value)} `.startsWith(` ${name} `);
}
