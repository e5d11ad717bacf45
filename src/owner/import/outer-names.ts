import { monthOf } from './calendar-words.ts';
import { isPlatform, platformNamed } from './platform-name.ts';
import { isJsonObject, type NumberedRow, type Row } from './rows.ts';

/** The column that says what the list or the sheet of a row is called by what is around it. */
export const OUTER_PLACE = 'place around the rows';
const OUTER_PLATFORM = 'platform';
/** Members of objects around lists of reviews that name their place or their platform. */
const NAMES =
  'placeId place_id google_id cid data_id title name platform source provider key'.split(' ');

const isName = (value: unknown) => typeof value === 'string' && value !== '';
const namesPlatform = (name: string) => isPlatform(platformNamed(name));

/** Returns what an object tells of the rows of the lists inside of it. */
export function toldBy(object: Row): Row {
  const near = [object, ...Object.values(object).filter(isJsonObject)];
  const names = NAMES.flatMap((name) => near.map((each) => each[name])).filter(isName) as string[];
  const platform = names.find(namesPlatform);
  const place = names.find((name) => name !== platform);
  return {
    ...(place !== undefined && { [OUTER_PLACE]: place }),
    ...(platform !== undefined && { [OUTER_PLATFORM]: platform }),
  };
}

/** Returns the rows of lists or sheets with what the names of these tell, unless they are times. */
export function joinedRows(
  parts: readonly { name: string; rows: readonly NumberedRow[] }[],
): NumberedRow[][] {
  const names = parts.map(({ name }) => name);
  const areTimes = names.some((name) => /\d/.test(name) || monthOf(name) > 0);
  const column = names.every(namesPlatform) ? OUTER_PLATFORM : OUTER_PLACE;
  return parts.map(({ name, rows }) => {
    const told = names.length < 2 || areTimes ? {} : { [column]: name };
    return rows.map((each) => ({ ...each, row: { ...told, ...each.row } }));
  });
}
