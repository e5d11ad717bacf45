import { textOfCell } from './table.ts';
import type { NumberedRow } from './rows.ts';

/** The words before a total, alone in their cell: a person may be called `Total Care`. */
const TOTAL =
  /^(?:(?:grand |sub|over)?total(?:e|s|en|i)?|sum|summe|suma|somme|soma|somma|average|avg|mean|count|gesamt|insgesamt|durchschnitt|mittelwert|schnitt|anzahl|moyenne|nombre|promedio|media|média|gemiddelde|totaal|aantal|genomsnitt|snitt|gennemsnit|gjennomsnitt|średnia|razem|průměr|celkem|итого|среднее|всего|ortalama|toplam|合計|平均|ø)(?: (?:rating|score|stars|reviews|bewertung|bewertungen|sterne))?:?$/i;

const MOST_TOTALS = 5;

/**
 * Marks the last rows that are totals: a word for it, a number that is not like those above, and no
 * words of a review.
 */
export function markTotals(rows: NumberedRow[]): void {
  const first = Math.max(1, rows.length - MOST_TOTALS);
  for (let at = rows.length - 1; at >= first && isTotal(rows[at]!, rows.slice(0, at)); at--) {
    rows[at] = { ...rows[at]!, cut: 'is a total of the rows above' };
  }
}

function isTotal({ row }: NumberedRow, above: readonly NumberedRow[]): boolean {
  const filled = Object.entries(row).filter(([, value]) => textOfCell(value) !== '');
  const [label, ...others] = filled.map(([, value]) => textOfCell(value));
  if (!TOTAL.test(label ?? '') || others.some((text) => !/^[\d.,/: -]+$/.test(text))) return false;
  return filled.some(([column, value]) => {
    const number = numberOf(value);
    if (number === undefined) return false;
    const numbers = above.flatMap(({ row: other }) => numberOf(other[column]) ?? []);
    return numbers.length > 0 && isNoneOf(number, numbers);
  });
}

/** Returns true for the mean of some numbers, and for a number that is not like any of them. */
function isNoneOf(number: number, numbers: readonly number[]): boolean {
  const mean = numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  const largest = numbers.reduce((most, each) => Math.max(most, each));
  const isWhole = Number.isInteger(number);
  const isMean = isWhole ? numbers.length > 2 && mean === number : Math.abs(mean - number) < 0.06;
  return isMean || number > largest || (!isWhole && numbers.every(Number.isInteger));
}

function numberOf(value: unknown): number | undefined {
  const text = textOfCell(value).replace(',', '.');
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}
