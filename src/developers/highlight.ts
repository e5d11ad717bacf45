import { common, createLowlight } from 'lowlight';

const lowlight = createLowlight(common);

type Language = 'json' | 'javascript' | 'python' | 'bash' | 'sql' | 'ini' | 'xml' | 'text';

/** A piece of code with the class of its color; plain text has none. */
interface CodeToken {
  text: string;
  class: string | undefined;
}

/**
 * The class of what highlight.js finds, by its name there; src/layouts/developers.css colors it. The
 * rest has the color of text.
 */
const CLASSES: Record<string, string> = {
  attr: 't-keyword',
  built_in: 't-function',
  comment: 't-comment',
  keyword: 't-keyword',
  literal: 't-constant',
  meta: 't-comment',
  name: 't-keyword',
  number: 't-constant',
  regexp: 't-string',
  section: 't-keyword',
  string: 't-string',
  title: 't-function',
};

/**
 * Splits code into tokens. They have classes, because the policy of the pages allows no style
 * attribute.
 */
export function highlight(code: string, language: Language): CodeToken[] {
  const tokens: CodeToken[] = [];
  const add = (nodes: readonly Node[], inherited: string | undefined): void => {
    for (const node of nodes) {
      if (node.type === 'element') {
        const [name] = node.properties.className as [string];
        add(node.children, CLASSES[name.replace('hljs-', '')] ?? inherited);
      } else if (node.type === 'text') {
        const last = tokens.at(-1);
        if (last && last.class === inherited) last.text += node.value;
        else tokens.push({ text: node.value, class: inherited });
      }
    }
  };
  if (language === 'text') return [{ text: code, class: undefined }];
  add(lowlight.highlight(language, code).children, undefined);
  return tokens;
}

type Node = ReturnType<typeof lowlight.highlight>['children'][number];

/** Guesses the language of code from its label and its first character. */
export function languageOf(code: string, label: string): Language {
  if (/^(Shell|Run)/.test(label)) return 'bash';
  if (/JavaScript|\.mjs/.test(label)) return 'javascript';
  if (/Python|\.py/.test(label)) return 'python';
  if (/\.toml/.test(label)) return 'ini';
  if (code.startsWith('SELECT')) return 'sql';
  if (/^[[{]/.test(code)) return 'json';
  return code.startsWith('<') ? 'xml' : 'text';
}
