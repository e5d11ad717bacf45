/** A key that an object of a JSON document has twice. */
export interface DuplicateKey {
  path: (string | number)[];
  /** Offset of the second one. */
  offset: number;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

interface Frame {
  /** Keys so far; undefined in a list. */
  keys: Set<string> | undefined;
  /** The key or index being read. */
  at: string | number;
}

/** Finds keys that are there twice in valid JSON; JSON.parse keeps the last without a word. */
export function duplicateKeys(json: string): DuplicateKey[] {
  const found: DuplicateKey[] = [];
  const stack: Frame[] = [];
  let last = { text: '', offset: 0 };
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    const top = stack.at(-1);
    if (token === '{') stack.push({ keys: new Set(), at: '' });
    else if (token === '[') stack.push({ keys: undefined, at: 0 });
    else if (token === '}' || token === ']') stack.pop();
    else if (token === ',' && top?.keys === undefined && top) top.at = Number(top.at) + 1;
    else if (token === ':' && top?.keys) {
      top.at = JSON.parse(last.text) as string;
      if (top.keys.has(top.at)) {
        found.push({ path: stack.map(({ at }) => at), offset: last.offset });
      }
      top.keys.add(top.at);
    }
    last = { text: token, offset: index };
  }
  return found;
}
