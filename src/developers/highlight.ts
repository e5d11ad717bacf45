import hljs from 'highlight.js/lib/common';

/**
 * Returns code as HTML, with the classes of highlight.js; src/layouts/developers.css colors them. Marks
 * of punctuation, which are about half of JSON, have the color of text.
 */
export function highlight(code: string, language: ReturnType<typeof languageOf>): string {
  const { value } = hljs.highlight(code, { language });
  return value.replaceAll(/<span class="hljs-punctuation">([^<]*)<\/span>/g, '$1');
}

/** Guesses the language of code from its label and its first character. */
export function languageOf(code: string, label: string) {
  if (/^(Shell|Run)/.test(label)) return 'bash';
  if (/JavaScript|\.mjs/.test(label)) return 'javascript';
  if (/Python|\.py/.test(label)) return 'python';
  if (code.startsWith('SELECT')) return 'sql';
  if (/^[[{]/.test(code)) return 'json';
  return code.startsWith('<') ? 'xml' : 'plaintext';
}
