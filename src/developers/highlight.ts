import json from '@shikijs/langs/json';
import javascript from '@shikijs/langs/javascript';
import python from '@shikijs/langs/python';
import shell from '@shikijs/langs/shellscript';
import sql from '@shikijs/langs/sql';
import toml from '@shikijs/langs/toml';
import xml from '@shikijs/langs/xml';
import { createCssVariablesTheme, createHighlighterCoreSync } from 'shiki/core';
import { createOnigurumaEngine } from 'shiki/engine/oniguruma';

const theme = createCssVariablesTheme({ name: 'page' });
const highlighter = createHighlighterCoreSync({
  themes: [theme],
  langs: [json, javascript, python, shell, sql, toml, xml],
  // Half the time of the regular expressions of JavaScript, which V8 compiles one by one.
  engine: await createOnigurumaEngine(import('shiki/wasm')),
});

export type Language =
  | 'json'
  | 'javascript'
  | 'python'
  | 'shellscript'
  | 'sql'
  | 'toml'
  | 'xml'
  | 'text';

/** A piece of code with the class of its color; plain text has none. */
export interface Token {
  text: string;
  class: string | undefined;
}

/**
 * Splits code into tokens. They have classes, because the policy of the pages allows no style
 * attribute.
 */
export function highlight(code: string, language: Language): Token[] {
  if (language === 'text') return [{ text: code, class: undefined }];
  const lines = highlighter.codeToTokensBase(code, {
    lang: language,
    theme: 'page',
    tokenizeTimeLimit: 0, // a slow machine must give the same bytes
  });
  const tokens = lines.flatMap((line, at): Token[] => [
    ...(at > 0 ? [{ text: '\n', class: undefined }] : []),
    ...line.map(({ content, color }) => ({ text: content, class: classOf(color) })),
  ]);
  return joinAlike(tokens);
}

/** Guesses the language of code from its label and its first character. */
export function languageOf(code: string, label: string): Language {
  if (/^(Shell|Run)/.test(label)) return 'shellscript';
  if (/JavaScript|\.mjs/.test(label)) return 'javascript';
  if (/Python|\.py/.test(label)) return 'python';
  if (/\.toml/.test(label)) return 'toml';
  if (code.startsWith('SELECT')) return 'sql';
  if (/^[[{]/.test(code)) return 'json';
  return code.startsWith('<') ? 'xml' : 'text';
}

/** Kinds of tokens that src/layouts/developers.css colors. */
const STYLED = new Set(['comment', 'constant', 'function', 'keyword', 'string']);

/** `var(--shiki-token-string)` → `t-string`. */
function classOf(color: string | undefined): string | undefined {
  const kind = /^var\(--shiki-token-([a-z]+)/.exec(color ?? '')?.[1];
  return kind && STYLED.has(kind) ? `t-${kind}` : undefined;
}

function joinAlike(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    const isBlank = token.text.trim() === '';
    if (last && (last.class === token.class || isBlank)) last.text += token.text;
    else joined.push({ ...token });
  }
  return joined;
}
