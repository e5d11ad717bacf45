/**
 * Counts the insertions, deletions, substitutions and swaps of neighbors that turn one word into
 * the other (optimal string alignment).
 */
export function editDistance(a: string, b: string): number {
  let earlier: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const changed = a[row - 1] === b[column - 1] ? 0 : 1;
      let least = Math.min(
        previous[column]! + 1,
        current[column - 1]! + 1,
        previous[column - 1]! + changed,
      );
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, earlier[column - 2]! + 1);
      }
      current.push(least);
    }
    [earlier, previous] = [previous, current];
  }
  return previous[b.length]!;
}
