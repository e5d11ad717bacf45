/** Returns a cell of a table as text; days of a sheet have no time zone. */
export function textOfCell(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().replace('T00:00:00.000Z', '');
  return String((cell ?? '') as string).trim();
}

export function isFilled(cell: unknown): boolean {
  return typeof cell === 'string' ? /\S/.test(cell) : textOfCell(cell) !== '';
}
