import { READABLE, type Rank } from './rank.ts';
import { isFilled, type TableLine, textOfCell } from './table.ts';

/** The lines that a header may be in, and below it those that tell whether it is one. */
const TOP_LINES = 20;
const SAMPLE_LINES = 50;
/** Bounds the work for lines of very many columns. */
const MOST_RANKED = 6_000;

/**
 * Finds the header by what is below it: the first line, or pair of lines with merged cells, by whose
 * names the rows look most like reviews.
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
    const above = lines[end - 2]?.cells;
    const merged = above && areLabels(above) ? [mergedLabels(above, own)] : [];
    for (const labels of [own, ...merged]) {
      const filled = labels.filter(isFilled).length;
      ranked += labels.length;
      if (filled < 2 || ranked > MOST_RANKED) continue;
      const columns = columnNames(labels);
      const sample = untilJoined(lines.slice(end, end + SAMPLE_LINES)).map(({ cells }) => {
        return Object.fromEntries(columns.map((column, index) => [column, cells[index]]));
      });
      const found = rank(sample);
      const isWide = found >= READABLE || widthOf(labels) >= usual;
      if (isWide && found > best.rank) best = { columns, end, rank: found };
    }
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

/** Returns a test for lines with the labels of a header again, maybe in another order. */
export function repeats(labels: readonly unknown[]): (line: TableLine) => boolean {
  const known = new Set(labels.map(textOfCell));
  return ({ cells }) => cells.every((cell) => known.has(textOfCell(cell)));
}

/** Returns the names of columns, each once. */
export function columnNames(labels: readonly unknown[]): string[] {
  const used = new Set<string>();
  return labels.map((label, index) => {
    const column = textOfCell(label) || `column ${index + 1}`;
    const unique = used.has(column.toLowerCase()) ? `${column} ${index + 1}` : column;
    used.add(unique.toLowerCase());
    return unique;
  });
}

/** Joins the labels of columns to those of the groups above them. */
function mergedLabels(groups: readonly unknown[], labels: readonly unknown[]): string[] {
  let group = '';
  return Array.from({ length: Math.max(groups.length, labels.length) }, (_, index) => {
    const label = textOfCell(labels[index]);
    group = textOfCell(groups[index]) || group;
    const merged = `${group} ${label}`.trim();
    if (label === '') group = '';
    return merged;
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
