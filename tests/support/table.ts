/** Formats rows as a Markdown table with aligned columns. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const shown = lines.map(
    (line) => `| ${line.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`,
  );
  shown.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  return shown.join('\n');
}
