import { isMap, isNode, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import type { ContentIssue, IssueIn } from './issue.ts';

/**
 * Finds the line of a field in JSON or YAML (JSON is YAML 1.2). Used only to locate
 * issues: values come from JSON.parse, so that YAML-only syntax in a .json file stays an issue.
 */
export class Positions {
  readonly document: Document;
  readonly #counter = new LineCounter();
  readonly #text: string;
  readonly #offset: number;

  /** @param offset lines before the text, for front matter */
  constructor(text: string, offset = 0) {
    this.document = parseDocument(text, { lineCounter: this.#counter, prettyErrors: false });
    this.#text = text;
    this.#offset = offset;
  }

  /** Returns the line of the field, or of the nearest parent that exists; from 1. */
  lineOf(path: readonly PropertyKey[]): number {
    for (let depth = path.length; depth > 0; depth--) {
      const start = this.#start(path.slice(0, depth));
      if (start !== undefined) return this.lineAt(start);
    }
    return 1 + this.#offset;
  }

  locate(issues: readonly IssueIn[], file: string): ContentIssue[] {
    return issues.map(({ path, ...issue }) => ({
      file,
      line: this.lineOf(path),
      field: path.join('.'),
      ...issue,
    }));
  }

  /** Returns an issue for each key of JSON that its object has twice; the line is that of the second. */
  keysTwice(): Pick<ContentIssue, 'line' | 'field' | 'reason'>[] {
    return this.document.errors
      .filter(({ code }) => code === 'DUPLICATE_KEY')
      .map(({ pos: [start] }) => {
        const [key] = /"(?:[^"\\]|\\.)*"/.exec(this.#text.slice(start))!;
        const field = JSON.parse(key) as string;
        return { line: this.lineAt(start), field, reason: 'is there twice' };
      });
  }

  lineAt(position: number): number {
    return this.#counter.linePos(position).line + this.#offset;
  }

  #start(path: readonly PropertyKey[]): number | undefined {
    const parent = this.document.getIn(path.slice(0, -1), true) ?? this.document.contents;
    const key = path.at(-1);
    if (isMap(parent)) {
      const pair = parent.items.find((item) => isScalar(item.key) && item.key.value === key);
      return pair && isNode(pair.key) ? pair.key.range?.[0] : undefined;
    }
    const node = this.document.getIn(path, true);
    return isNode(node) ? node.range?.[0] : undefined;
  }
}
