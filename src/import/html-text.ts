const CHARACTERS: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#34': '"',
  '#39': "'",
};

/** Reads text that a platform escaped to be put into its pages, with `<br>` for line breaks. */
export function fromHtml(html: string): string {
  return html
    .replaceAll(/<br\s*\/?>/gi, '\n')
    .replaceAll(/&(amp|lt|gt|quot|#34|#39);/g, (_, name: string) => CHARACTERS[name]!);
}
