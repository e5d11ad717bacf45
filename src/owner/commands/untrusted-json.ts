/** Smaller documents may be as dense as they like. */
const SMALL_BYTES = 100_000;
/** Documents of a site have 16 and more, and at most 10 levels. */
const LEAST_BYTES_PER_VALUE = 8;
const MOST_LEVELS = 100;

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] =
  Buffer.from('"\\,[]{}');

/**
 * Parses JSON that may be anyone's.
 *
 * @throws if it is none, or if its values would take much more memory than its bytes
 */
export function parseUntrusted(bytes: Uint8Array): unknown {
  let values = 1;
  let level = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) inString = !inString;
    else if (inString) at += Number(byte === BACKSLASH);
    else if (byte === COMMA) values++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++;
      if (++level > MOST_LEVELS) throw new Error(`has more than ${MOST_LEVELS} levels`);
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) level--;
  }
  if (bytes.length > SMALL_BYTES && bytes.length < values * LEAST_BYTES_PER_VALUE) {
    throw new Error(`has ${values} values in ${bytes.length} bytes`);
  }
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch (cause) {
    throw new Error('is not JSON', { cause });
  }
}
