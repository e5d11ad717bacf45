/** Reads the JSON document of a file, or one from each line. @throws in one line, with the place */
export function parseDocuments(
  name: string,
  text: string,
): { documents: { number: number; value: unknown }[]; notes: string[] } {
  const repairs = new Set<string>();
  const whole = parsed(text, repairs);
  if (!(whole instanceof Error)) {
    return { documents: [{ number: 1, value: whole }], notes: [...repairs] };
  }
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  if (lines.length === 1 || parsed(lines[first]!, repairs) instanceof Error) {
    throw brokenJson(name, whole);
  }
  const documents = lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    const value = parsed(line, repairs);
    if (!(value instanceof Error)) return [{ number: index + 1, value }];
    throw brokenJson(`${name}:${index + 1}`, value);
  });
  return { documents, notes: [...repairs] };
}

function brokenJson(place: string, cause: Error): Error {
  const words = `broken JSON: ${cause.message}: the file may have been cut short, so export it again`;
  return new Error(`${place}: ${words}`, { cause });
}

/** Parses JSON, or almost-JSON, as some programs write it. */
function parsed(text: string, repairs: Set<string>): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    try {
      const value: unknown = JSON.parse(repaired(text));
      repairs.add(
        'it has NaN, Infinity or extra commas, which JSON does not allow; NaN was read as empty',
      );
      return value;
    } catch {
      return error;
    }
  }
}

/** Matches strings, which are kept, and what JSON does not allow; an unclosed string ends the text. */
const TOKENS = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|$)|(?<![\w.])-?(?:NaN|Infinity)\b|,(?=\s*[\]}])/g;

function repaired(text: string): string {
  return text.replaceAll(TOKENS, (token) => {
    if (token.startsWith('"')) return token;
    return token === ',' ? '' : 'null';
  });
}
