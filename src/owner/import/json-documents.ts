/** Reads the JSON document of a file, or one from each line. @throws in one line, with the place */
export function parseDocuments(
  name: string,
  text: string,
): { documents: { number: number; value: unknown }[]; notes: string[] } {
  const lines = text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [{ line, number: index + 1 }]));
  const isLines = lines.length > 1 && parsed(lines[0]!.line) !== undefined;
  const parts = isLines ? lines : [{ line: text, number: 1 }];
  let isRepaired = false;
  const documents = parts.map(({ line, number }) => {
    try {
      return { number, value: valueOf(line) };
    } catch (error) {
      const value = parsed(repaired(line));
      if (value === undefined)
        throw brokenJson(isLines ? `${name}:${number}` : name, error as Error);
      isRepaired = true;
      return { number, value };
    }
  });
  const note = 'it is not quite JSON, and was read as such; NaN and None as empty';
  return { documents, notes: isRepaired ? [note] : [] };
}

function brokenJson(place: string, cause: Error): Error {
  const words = `broken JSON: ${cause.message}: the file may have been cut short, so export it again`;
  return new Error(`${place}: ${words}`, { cause });
}

/** Integers that no number may hold. */
const LONG = /\d{16}/;

/** Parses JSON, in which integers that no number holds are texts: they are ids. */
function valueOf(json: string): unknown {
  if (!LONG.test(json)) return JSON.parse(json);
  const written = (_key: string, value: unknown, context?: { source?: string }): unknown => {
    const isWhole = Number.isInteger(value) && !Number.isSafeInteger(value);
    return isWhole && /^-?\d+$/.test(context!.source!) ? context!.source : value;
  };
  return JSON.parse(json, written);
}

/** Parses JSON; undefined for any other text. */
export function parsed(json: string): unknown {
  try {
    return valueOf(json);
  } catch {
    return undefined;
  }
}

/** Reads JSON that a cell or a member of JSON has as text. */
export function unpacked(value: unknown): unknown {
  const isPacked = typeof value === 'string' && /^\s*(?:\{\s*"|\[\s*[{"])/.test(value);
  return isPacked ? (parsed(value) ?? value) : value;
}

/** Matches strings, and what Python writes that JSON does not allow; an unclosed string ends the text. */
const TOKENS =
  /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|$)|(?<![\w.])-?(?:NaN|Infinity|None)\b|,(?=\s*[\]}])/g;

/** Returns JSON without values and commas that it does not allow. */
function repaired(text: string): string {
  return text.replaceAll(TOKENS, (token) => {
    if (token.startsWith('"')) return token;
    return token === ',' ? '' : 'null';
  });
}
