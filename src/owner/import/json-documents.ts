import { unwrapped } from './json-shapes.ts';

/** Reads the JSON document of a file, or one from each line. @throws in one line, with the place */
export function parseDocuments(
  name: string,
  text: string,
): { documents: { number: number; value: unknown }[]; notes: string[] } {
  const repairs = new Set<string>();
  const lines = text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [{ line, number: index + 1 }]));
  const isLines = lines.length > 1 && !(strict(lines[0]!.line) instanceof Error);
  const parts = isLines ? lines : [{ line: text, number: 1 }];
  const documents = parts.map(({ line, number }) => {
    const value = parsed(line, repairs);
    if (!(value instanceof Error)) return { number, value };
    throw brokenJson(isLines ? `${name}:${number}` : name, value);
  });
  return { documents, notes: [...repairs] };
}

function brokenJson(place: string, cause: Error): Error {
  const words = `broken JSON: ${cause.message}: the file may have been cut short, so export it again`;
  return new Error(`${place}: ${words}`, { cause });
}

/** Returns JSON without the script around it; undefined for text that is none. */
export function jsonIn(given: string): string | undefined {
  const text = given.trimStart();
  const comments = String.raw`(?:(?://[^\n]*\n|/\*[^]*?\*/)\s*)*`;
  const before = new RegExp(
    String.raw`^${comments}(?:export default\s+|(?:export )?(?:(?:var|let|const) )?[\w$.]+\s*[=(]\s*)?(?=[[{])`,
  ).exec(text);
  if (!before) return undefined;
  let end = text.length;
  if (before[0] !== '') while (/[\s;)]/.test(text[end - 1] ?? '')) end--;
  return text.slice(before[0].length, end);
}

/** Parses JSON, and returns the error of text that is none. */
function strict(json: string): unknown {
  const hasTypes = /"(?:\$\w+|_?seconds)"\s*:/.test(json);
  try {
    return JSON.parse(json, hasTypes ? (_, value: unknown) => unwrapped(value) : undefined);
  } catch (error) {
    return error;
  }
}

/** Parses JSON, or almost-JSON, as some programs write it. */
function parsed(text: string, repairs: Set<string>): unknown {
  const value = strict(text);
  if (!(value instanceof Error)) return value;
  const readings = [repaired(text), `[${repaired(text, true)}]`].map(strict);
  const read = readings.find((each) => !(each instanceof Error));
  if (read === undefined) return value;
  repairs.add('it is not quite JSON, and was read as such; NaN and None as empty');
  return read;
}

/** Matches strings, and what scripts and Python write that JSON does not allow; an unclosed string ends the text. */
const TOKENS =
  /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|$)|'[^'\\]*(?:\\[^][^'\\]*)*'|(?<![\w.])-?(?:NaN|Infinity|None|undefined)\b|\b(?:True|False)\b|\b[A-Za-z_$][\w$]*\b(?=\s*:)|,(?=\s*[\]}])|\}(?=\s*\{)|\/\/[^\n]*|\/\*[^]*?\*\//g;

/** @param isSeveral true to put commas between documents */
function repaired(text: string, isSeveral = false): string {
  return text.replaceAll(TOKENS, (token) => {
    if (token.startsWith('"')) return token;
    if (token.startsWith("'")) return JSON.stringify(unquoted(token));
    if (token === '}') return isSeveral ? '},' : token;
    if (token === ',' || token.startsWith('/')) return '';
    if (token === 'True' || token === 'False') return token.toLowerCase();
    return /^-?(?:NaN|Infinity|None|undefined)$/.test(token) ? 'null' : `"${token}"`;
  });
}

/** Reads a string in single quotation marks, with the escapes of Python and scripts. */
function unquoted(token: string): string {
  return token
    .slice(1, -1)
    .replaceAll(/\\(?:x([\da-f]{2})|u([\da-f]{4})|([^]))/gi, (_, byte, unit, letter: string) => {
      if (letter === undefined) return String.fromCodePoint(Number.parseInt(byte ?? unit, 16));
      return { n: '\n', r: '\r', t: '\t' }[letter] ?? letter;
    });
}
