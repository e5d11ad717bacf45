interface Dated {
  id: string;
  date: string;
}

/** The one order of reviews, everywhere: date descending, then id descending. */
export function newestFirst(a: Dated, b: Dated): number {
  if (a.date !== b.date) return a.date < b.date ? 1 : -1;
  if (a.id !== b.id) return a.id < b.id ? 1 : -1;
  return 0;
}
