import { textOfCell } from './cells.ts';
import type { TableLine } from './table.ts';

/**
 * Throws for columns in which Excel took days such as 03/04 for dates in another order, and left
 * 13/04 as text.
 *
 * @param columns their names
 */
export function refuseTurnedDays(
  name: string,
  columns: readonly string[],
  lines: readonly TableLine[],
): void {
  const turned = columns.find((_, index) => {
    const cells = lines.map((line) => line.cells[index]);
    const dates = cells.filter((cell) => cell instanceof Date);
    return (
      dates.length > 0 &&
      dates.every((date) => date.getUTCDate() <= 12) &&
      cells.some((cell) => typeof cell === 'string' && hasLateDay(textOfCell(cell)))
    );
  });
  if (turned === undefined) return;
  throw new Error(
    `${name}: the days of its dates in ${turned} are all up to 12, those of its texts are above: Excel ` +
      'turned some days around: export again, or set the column to text before the file is opened',
  );
}

function hasLateDay(text: string): boolean {
  const [, one, other] = /^(\d{1,2})[./-](\d{1,2})[./-]\d{2,4}\b/.exec(text) ?? [];
  return Number(one) > 12 || Number(other) > 12;
}
