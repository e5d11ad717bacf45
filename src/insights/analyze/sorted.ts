/** Returns the index of the first item whose position is at least `least`; items ascend by it. */
export function firstFrom<T>(
  items: readonly T[],
  least: number,
  position: (item: T) => number,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (position(items[middle]!) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
