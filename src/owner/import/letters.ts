import { westernText } from './western-letters.ts';

const EXAMPLES =
  'windows-1250 (Central Europe), windows-1251 or koi8-r (Cyrillic), windows-1254 (Turkish), macintosh or shift_jis';

/**
 * Decodes UTF-8 or UTF-16, with a byte order mark or without, or else the encoding that is stated, or
 * windows-1252 if the words are then words.
 *
 * @throws in one line where letters could be wrong
 */
export function decodeText(
  name: string,
  bytes: Buffer,
  stated: string | undefined,
): { text: string; note?: string } {
  if (stated !== undefined) return { text: decodeStated(name, bytes, stated) };
  const unicode = attemptAs(unicodeOf(bytes), bytes);
  if (unicode !== undefined) return { text: unicode };
  const text = westernText(bytes);
  if (text === undefined) {
    throw new Error(
      `${name}: is not UTF-8, or was cut short, and its letters may be of several encodings: save it as UTF-8, or say --encoding NAME, such as ${EXAMPLES}`,
    );
  }
  return {
    text,
    note: 'it is not UTF-8 and was read as windows-1252; if letters look wrong, say --encoding',
  };
}

function decodeStated(name: string, bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    const reason =
      error instanceof RangeError
        ? `${encoding} is no encoding that is known: say, for example, ${EXAMPLES}`
        : `cannot be read as ${encoding}`;
    throw new Error(`${name}: ${reason}`, { cause: error });
  }
}

/** Decodes bytes; undefined where the encoding does not have them. */
function attemptAs(encoding: string, bytes: Buffer): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function unicodeOf(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  if (start[0] !== 0 && start[1] === 0) return 'utf-16le';
  if (start[0] === 0 && start[1] !== 0) return 'utf-16be';
  return 'utf-8';
}

/** The bytes of Latin-1 and of the characters that Windows-1252 has in place of its controls. */
const BYTES = new Map(
  Array.from({ length: 128 }, (_, index) => 128 + index).flatMap((byte) => [
    [String.fromCodePoint(byte), byte] as const,
    [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte] as const,
  ]),
);
const BEYOND_ASCII = /[^\0-\x7f]+/g;
/** A share of letters above which a table was written as UTF-8 and read as Latin-1. */
const NEARLY_ALL = 0.95;

/**
 * Returns a function that repairs letters which were UTF-8 and were read as Latin-1, as in "kÃ¶stlich";
 * undefined unless nearly all letters beyond ASCII among the values are such.
 */
export function mojibakeRepair(values: Iterable<string>): ((text: string) => string) | undefined {
  let runs = 0;
  let repaired = 0;
  for (const value of values) {
    for (const [run] of value.matchAll(BEYOND_ASCII)) {
      runs++;
      repaired += Number(asUtf8(run) !== undefined);
    }
  }
  if (repaired === 0 || repaired < runs * NEARLY_ALL) return undefined;
  return (text) => text.replaceAll(BEYOND_ASCII, (run) => asUtf8(run) ?? run);
}

function asUtf8(run: string): string | undefined {
  const bytes = Array.from(run, (letter) => BYTES.get(letter));
  if (bytes.includes(undefined)) return undefined;
  return attemptAs('utf-8', Buffer.from(bytes as number[]));
}
