/**
 * Counts the insertions, deletions, substitutions and swaps of neighbors that turn one word into
 * the other (optimal string alignment).
 */
export function editDistance(a: string, b: string): number {
  const width = b.length + 1;
  let earlier = new Uint32Array(width);
  let previous = new Uint32Array(width);
  let current = new Uint32Array(width);
  for (let column = 0; column < width; column++) previous[column] = column;
  for (let row = 1; row <= a.length; row++) {
    current[0] = row;
    for (let column = 1; column < width; column++) {
      const changed = a[row - 1] === b[column - 1] ? 0 : 1;
      let least = previous[column - 1]! + changed;
      if (previous[column]! + 1 < least) least = previous[column]! + 1;
      if (current[column - 1]! + 1 < least) least = current[column - 1]! + 1;
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        if (earlier[column - 2]! + 1 < least) least = earlier[column - 2]! + 1;
      }
      current[column] = least;
    }
    [earlier, previous, current] = [previous, current, earlier];
  }
  return previous[b.length]!;
}
