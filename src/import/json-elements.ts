/** An object inside the outermost array of a JSON document, as text. */
interface JsonElement {
  /** Keys that lead to the array, joined by dots; empty for an array at the top. */
  path: string;
  json: string;
}

interface Frame {
  kind: '{' | '[';
  /** The key of the member being read; undefined in arrays and before a key. */
  key: string | undefined;
}

/**
 * Cuts a JSON document into the objects of its outermost arrays while it streams, so that no more
 * than one of them is in memory. What is broken inside an element shows when it is parsed.
 */
export class JsonElements {
  /** Numbers and short strings outside the arrays, by their path: totals, tokens, names. */
  readonly head: Record<string, string | number> = {};
  readonly #stack: Frame[] = [];
  /** The element being read, so far; undefined outside one. */
  #element: { text: string; depth: number } | undefined;
  #string: string | undefined;
  #number = '';
  #inString = false;
  #escaped = false;

  *push(chunk: string): Generator<JsonElement> {
    let start = 0;
    for (let index = 0; index < chunk.length; index++) {
      const character = chunk[index]!;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (character === '\\') this.#escaped = true;
        else if (character === '"') {
          this.#inString = false;
          if (!this.#element) this.#endString(chunk.slice(start, index + 1));
        }
        continue;
      }
      if (character === '"') {
        this.#inString = true;
        if (!this.#element) {
          this.#string = '';
          start = index;
        }
        continue;
      }
      if (this.#element) {
        if (character === '{') this.#element.depth++;
        else if (character === '}' && --this.#element.depth === 0) {
          const json = this.#element.text + chunk.slice(start, index + 1);
          this.#element = undefined;
          yield { path: this.#path(), json };
        }
        continue;
      }
      if (character === '{' && this.#stack.at(-1)?.kind === '[') {
        this.#element = { text: '', depth: 1 };
        start = index;
        continue;
      }
      this.#outside(character);
    }
    if (this.#element) this.#element.text += chunk.slice(start);
    else if (this.#inString) this.#string = this.#string! + chunk.slice(start);
  }

  /** @throws when the document ends too early */
  end(): void {
    if (this.#stack.length > 0 || this.#element || this.#inString) {
      throw new Error('broken JSON: the file ends in the middle');
    }
  }

  #outside(character: string): void {
    const top = this.#stack.at(-1);
    if (character === '{' || character === '[') {
      this.#stack.push({ kind: character, key: undefined });
      return;
    }
    if (/[\d.eE+-]/.test(character)) {
      this.#number += character;
      return;
    }
    if (this.#number !== '') {
      if (top?.kind === '{' && top.key !== undefined)
        this.head[this.#path()] = Number(this.#number);
      this.#number = '';
    }
    if (character === ',' && top) top.key = undefined;
    if (character === '}' || character === ']') this.#stack.pop();
  }

  #endString(rest: string): void {
    const json = this.#string! + rest;
    this.#string = undefined;
    const top = this.#stack.at(-1);
    if (top?.kind !== '{') return;
    const value = JSON.parse(json) as string;
    if (top.key === undefined) top.key = value;
    else if (value.length < 500) this.head[this.#path()] = value;
  }

  #path(): string {
    return this.#stack.flatMap(({ key }) => key ?? []).join('.');
  }
}
