const BY_GOOGLE =
  '(?:Translated by Google|Übersetzt von Google|Traduit par Google|Traducido por Google|Tradotto da Google|Traduzido pelo Google|Vertaald door Google)';
const ORIGINAL =
  "(?:Original|Originaltext|Texte d[’']origine|Avis d[’']origine|Originale|Origineel)";
/** Google puts the translation first and the customer's words below a second mark … */
const TRANSLATION_FIRST = new RegExp(
  String.raw`^\s*\(${BY_GOOGLE}\)[\s\S]*?\n\s*\(${ORIGINAL}\)\s*\n?`,
  'i',
);
/** … or, for those who read the original language, the translation last. */
const TRANSLATION_LAST = new RegExp(String.raw`(?:^|\n)\s*\(${BY_GOOGLE}\)[\s\S]*$`, 'i');

/**
 * Returns the words that the customer wrote, without Google's machine translation of them, which
 * must never be quoted as theirs. Empty when the export has the translation alone.
 */
export function ownWords(text: string): { text: string; translated: boolean } {
  const own = TRANSLATION_FIRST.test(text)
    ? text.replace(TRANSLATION_FIRST, '')
    : text.replace(TRANSLATION_LAST, '');
  return { text: own, translated: own !== text };
}

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
