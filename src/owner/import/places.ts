import { wordsOf } from './guess-fields.ts';
import { ImportError, Question } from './import-error.ts';
import type { Answers } from './answers.ts';
import { OUTER_PLACE } from './json-rows.ts';
import { valueAt, type Condition, type Row } from './rows.ts';
import { countsAt, listed } from './value-counts.ts';

const THING =
  'place|business|branch|store|shop|property|venue|hotel|restaurant|listing|outlet|clinic|practice|salon|filiale?|standort|niederlassung|betrieb|geschaft|praxis|sucursal|tienda|negocio|local|agence|etablissement|magasin|sede|negozio|struttura|loja|unidade|vestiging|winkel';
/** Columns that name the place which a review is of. */
const PLACE = new RegExp(
  `^(?:google |gmb |yelp |tripadvisor |our )?(?:${THING})(?: info)?(?: (?:id|name|title|code|slug|url|link|number))?$|^(?:google id|cid|fid|data id|kgmid|location (?:id|name|code)|company (?:id|name)|domain(?: name)?)$`,
);
/** Columns that may name the place of the author as well: then each row has another one. */
const PERHAPS = /^(?:location|website|domain|company|site|account|page (?:id|name))$/;

/**
 * Finds the column that names the place of each row, where a table has the reviews of several.
 *
 * @param columns those that a format names, or else all that have no other meaning
 * @returns the condition that rows of the business meet; none for a table of one place
 * @throws {Question} where nobody said which place is the business
 */
export function placeIn(
  table: string,
  rows: readonly Row[],
  columns: readonly string[],
  isNamed: boolean,
  { place = [] }: Answers,
): Condition {
  const wanted = place.map((each) => each.trim().toLowerCase());
  if (wanted.includes('*')) return {};
  const found = columns
    .filter(
      (column) =>
        isNamed ||
        column === OUTER_PLACE ||
        PLACE.test(wordsOf(column)) ||
        PERHAPS.test(wordsOf(column)),
    )
    .map((column) => ({ column, counts: countsAt(rows, column) }));
  const chosen = found.find(({ counts }) => wanted.some((each) => counts.has(each)));
  if (chosen) return { [chosen.column]: new Set([...wanted, '']) };
  if (wanted.length > 0 && found.length === 0) {
    throw new ImportError(
      `${table}: no column names a place, so --place ${place.join(', ')} matches nothing`,
    );
  }
  const first = found.find(({ column, counts }) => {
    const isClear = isNamed || !PERHAPS.test(wordsOf(column));
    const places = counts.size - Number(counts.has(''));
    return places > 1 && (isClear || places * 2 <= rows.length);
  });
  if (!first) return {};
  const nameOf = (row: Row) => {
    const names = [first, ...found].map(({ column }) => String(valueAt(row, column) ?? ''));
    return [...new Set(names)].filter((name) => name !== '').slice(0, 3);
  };
  const named = Map.groupBy(rows, (row) => nameOf(row).join(' = '));
  const counts = new Map([...named].map(([name, { length }]) => [name, length]));
  throw new Question(
    'place',
    `${table}: has reviews of several places in ${first.column}: ${listed(counts)}\n` +
      'Say which are of this business, each with the option, or * for all',
    nameOf(rows[0]!)[0] ?? '…',
    '*',
  );
}
