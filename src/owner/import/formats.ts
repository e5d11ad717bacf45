import {
  columnsIn,
  haveValues,
  headerNames,
  parseMap,
  type Field,
  type FieldMap,
} from './field-map.ts';
import { guessFields } from './guess-fields.ts';
import { wordsOf } from './words.ts';
import { FORMATS } from './known-formats.ts';
import { columnsOf, SAMPLE_ROWS, type Row } from './rows.ts';

const KNOWN = FORMATS.map((format) => {
  const fields = parseMap(format.map);
  const marks = format.marks.split(',').map((names) => names.split('|').map(pathOf));
  const { shown, replyShown, origins, place = '' } = format;
  const conditions = Object.keys({ ...shown, ...replyShown, ...origins });
  const paths = [...Object.values(fields).flat(), ...marks.flat(), ...conditions];
  const read = new Set([...columnsIn(paths), ...place.split('|')].map(top));
  return { format: { ...format, fields }, marks, read };
});

/** Parts of a review that a format may not overlook. */
const TELLING: readonly Field[] = ['rating', 'text', 'author'];
/** Columns that any export may have, and that tell nothing of its format. */
const USUAL =
  /(?:^| )(?:ids?|urls?|links?|images?|photos?|media|counts?|likes?|votes?|helpful|e ?mail|rank|position|language)(?: |$)/;

/**
 * Returns the format of rows: the one whose marks some row has, which reads most of their columns and
 * overlooks no column of stars, words or authors. Without one, the columns must be guessed.
 */
export function recognize(rows: readonly Row[]) {
  const samples = rows.slice(0, SAMPLE_ROWS);
  const found = samples.map(namesIn);
  const marked = KNOWN.filter(({ marks }) =>
    found.some((row) => marks.every((names) => names.some((name) => row.has(name)))),
  );
  if (marked.length === 0) return undefined;
  const guessed = guessFields(samples).fields;
  return marked.find(
    ({ format, read }) =>
      explainsMost(samples, read) && overlooked(samples, format.fields, guessed).length === 0,
  )?.format;
}

/**
 * Tells whether a format reads most columns that differ from review to review: by their name, or by the
 * first word of it, as in `reviewer` and `reviewer_level`.
 */
function explainsMost(samples: readonly Row[], read: ReadonlySet<string>): boolean {
  const words = new Set([...read].map(firstWord));
  const columns = columnsOf(samples).filter((column) => {
    const values = new Set(samples.map((row) => JSON.stringify(row[column])));
    const differs = !USUAL.test(wordsOf(column)) && values.size * 2 > samples.length;
    return differs || read.has(top(column));
  });
  const telling = [...new Set(columns.map(top))];
  const explained = telling.filter((name) => read.has(name) || words.has(firstWord(name)));
  return explained.length * 2 >= telling.length;
}

/** Returns the telling fields that a guess finds and a format does not. */
function overlooked(samples: readonly Row[], fields: FieldMap, guessed: FieldMap): Field[] {
  const inHeader = headerNames(samples);
  return TELLING.filter(
    (field) => guessed[field] && !haveValues(samples, fields[field]?.flatMap(inHeader)),
  );
}

/** Returns the dotted paths to all values and objects of a row, in lower case. */
function namesIn(row: Row): ReadonlySet<string> {
  const names = new Set<string>();
  for (const path of Object.keys(row)) {
    const keys = pathOf(path).split('.');
    keys.forEach((_, index) => names.add(keys.slice(0, index + 1).join('.')));
  }
  return names;
}

function pathOf(name: string): string {
  return name.trim().toLowerCase().replaceAll('/', '.').replace(/\.$/, '');
}

function firstWord(name: string): string {
  return wordsOf(name).split(' ')[0]!;
}

function top(path: string): string {
  return pathOf(path).split('.')[0]!;
}
