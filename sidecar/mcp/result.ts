/**
 * A result that is JSON already: the bytes of one object with at least one member. What the edition
 * holds as bytes reaches the client without being parsed and written again.
 */
export class SerializedResult {
  readonly json: Buffer;

  constructor(json: Buffer | string) {
    this.json = typeof json === 'string' ? Buffer.from(json) : json;
  }
}

export type Result = SerializedResult | Record<string, unknown>;

/**
 * The result of a tool from the JSON of its answer: once as text, once as structuredContent (MCP
 * 2025-06-18, server/tools, structured content).
 */
export function toolResult(answer: Buffer): SerializedResult {
  const length = TEXT.length + escapedLength(answer) + STRUCTURED.length + answer.length + 1;
  const json = Buffer.allocUnsafe(length);
  let at = json.write(TEXT, 'latin1');
  at = writeEscaped(answer, json, at);
  at += json.write(STRUCTURED, at, 'latin1');
  at += answer.copy(json, at);
  json.write('}', at, 'latin1');
  return new SerializedResult(json);
}

const TEXT = '{"content":[{"type":"text","text":"';
const STRUCTURED = '"}],"structuredContent":';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
const LETTER_N = 0x6e;

function escapedLength(json: Buffer): number {
  let length = json.length;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index]!;
    if (byte === QUOTE || byte === BACKSLASH || byte === NEWLINE) length++;
  }
  return length;
}

/** JSON inside a JSON string: no control character but the line break can stand in it. */
function writeEscaped(json: Buffer, target: Buffer, start: number): number {
  let at = start;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index]!;
    if (byte === QUOTE || byte === BACKSLASH) {
      target[at++] = BACKSLASH;
      target[at++] = byte;
    } else if (byte === NEWLINE) {
      target[at++] = BACKSLASH;
      target[at++] = LETTER_N;
    } else target[at++] = byte;
  }
  return at;
}

/** A tool's complaint about its arguments: read by the model, which can then do better. */
export function toolError(error: Record<string, unknown>): Result {
  return { content: [{ type: 'text', text: JSON.stringify(error) }], isError: true };
}
