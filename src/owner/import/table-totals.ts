import { textOfCell } from './table.ts';
import type { NumberedRow } from './rows.ts';

/** The words before a total, alone in their cell: a person may be called `Total Care`. */
const TOTAL =
  /^(?:(?:grand |sub|over)?total(?:e|s|en|i)?|sum|summe|suma|somme|soma|somma|average|avg|mean|count|gesamt|insgesamt|durchschnitt|mittelwert|schnitt|anzahl|moyenne|nombre|promedio|media|média|gemiddelde|totaal|aantal|genomsnitt|snitt|gennemsnit|gjennomsnitt|średnia|razem|průměr|celkem|итого|среднее|всего|ortalama|toplam|合計|平均|ø)(?: (?:rating|score|stars|reviews|bewertung|bewertungen|sterne))?:?$/i;

/** Marks the last rows that are totals: a word for it, and no words of a review. */
export function markTotals(rows: NumberedRow[]): void {
  for (let at = rows.findLastIndex((row) => !isTotal(row)) + 1; at < rows.length; at++) {
    rows[at] = { ...rows[at]!, cut: 'is a total of the rows above' };
  }
}

function isTotal({ row }: NumberedRow): boolean {
  const [label = '', ...others] = Object.values(row)
    .map(textOfCell)
    .filter((text) => text !== '');
  return TOTAL.test(label) && others.every((text) => /^[\d.,/: -]+$/.test(text));
}
