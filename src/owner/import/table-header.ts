import { READABLE, type Rank } from './rank.ts';
import { isFilled, type TableLine, textOfCell } from './table.ts';

/** The lines that a header may be in, and below it those that tell whether it is one. */
const TOP_LINES = 20;
const SAMPLE_LINES = 50;
/** Bounds the work for lines of very many columns. */
const MAX_RANKED = 6_000;

/**
 * Finds the header by what is below it: the first line by whose names the rows look most like reviews.
 *
 * @param lines those that are not empty
 */
export function headerOf(
  lines: readonly TableLine[],
  rank: Rank,
): { columns: string[]; end: number } {
  const first = Math.max(
    0,
    lines.findIndex(({ cells }) => cells.filter(isFilled).length > 1),
  );
  let best = { columns: columnNames(lines[first]?.cells ?? []), end: first + 1, rank: -1 };
  let ranked = 0;
  const usual = usualWidth(lines.slice(first + 1, first + SAMPLE_LINES));
  for (let end = 1; end <= Math.min(TOP_LINES, lines.length); end++) {
    const own = lines[end - 1]!.cells;
    if (!areLabels(own)) {
      // Below a header that is right, another belongs to a file that was joined.
      if (best.rank >= READABLE) break;
      continue;
    }
    ranked += own.length;
    if (own.filter(isFilled).length < 2 || ranked > MAX_RANKED) continue;
    const columns = columnNames(own);
    const sample = untilJoined(lines.slice(end, end + SAMPLE_LINES)).map(({ cells }) => {
      return Object.fromEntries(columns.map((column, index) => [column, cells[index]]));
    });
    const found = rank(sample);
    const isWide = found >= READABLE || widthOf(own) >= usual;
    if (isWide && found > best.rank) best = { columns, end, rank: found };
  }
  const labels = lines[first]?.cells ?? [];
  const isData = labels.some((cell) => /^[\d.,:/ -]*\d[\d.,:/ -]*$/.test(textOfCell(cell)));
  // A table without a header has its first row where the names would be.
  if (best.rank === -1 && isData) return { columns: columnNames(labels.map(() => '')), end: 0 };
  return best;
}

/** Returns the lines before a line of labels that is among others: the header of a file that was joined. */
function untilJoined(lines: readonly TableLine[]): readonly TableLine[] {
  const data = lines.findIndex(({ cells }) => !areLabels(cells));
  const end = lines.findIndex(({ cells }, at) => data !== -1 && at > data && areLabels(cells));
  return end === -1 ? lines : lines.slice(0, end);
}

/** Returns the names of columns, each once. */
function columnNames(labels: readonly unknown[]): string[] {
  const used = new Set<string>();
  return labels.map((label, index) => {
    const column = textOfCell(label) || `column ${index + 1}`;
    const unique = used.has(column.toLowerCase()) ? `${column} ${index + 1}` : column;
    used.add(unique.toLowerCase());
    return unique;
  });
}

/** Returns true for words that name columns: no numbers, days or addresses. */
function areLabels(cells: readonly unknown[]): boolean {
  return cells.every((cell) => {
    const text = textOfCell(cell);
    const isName = /\p{L}/u.test(text) && !/^\d+\W\d+\W|:\/\/|@/.test(text);
    return text === '' || (typeof cell === 'string' && isName);
  });
}

/** Returns the position of the last filled cell that most lines have. */
function usualWidth(lines: readonly TableLine[]): number {
  const widths = Map.groupBy(lines, ({ cells }) => widthOf(cells));
  const [[width] = [0]] = [...widths].sort(([, a], [, b]) => b.length - a.length);
  return width;
}

function widthOf(cells: readonly unknown[]): number {
  return cells.findLastIndex(isFilled) + 1;
}
