import type { Readable } from 'node:stream';

export interface DecodingOptions {
  /** Label of the encoding, for text files that are not Unicode. */
  encoding?: string | undefined;
  /** Takes the number of bytes read so far. */
  onProgress?: (bytes: number) => void;
}

/** Decodes UTF-8 or UTF-16, with a byte order mark or without. @throws at bytes of neither */
export async function* decoded(
  name: string,
  bytes: Readable,
  { encoding, onProgress }: DecodingOptions,
): AsyncGenerator<string, undefined> {
  let decoder: TextDecoder | undefined;
  let read = 0;
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      decoder ??= new TextDecoder(encoding ?? encodingOf(chunk), { fatal: true });
      read += chunk.length;
      onProgress?.(read);
      yield decoder.decode(chunk, { stream: true });
    }
    if (decoder) yield decoder.decode();
    return undefined;
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    throw new Error(
      encoding === undefined
        ? `${name}: is not valid UTF-8: if Excel saved it, say --encoding windows-1252`
        : `${name}: cannot be read as ${encoding}`,
      { cause: error },
    );
  }
}

function encodingOf(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  if (start[0] !== 0 && start[1] === 0) return 'utf-16le';
  if (start[0] === 0 && start[1] !== 0) return 'utf-16be';
  return 'utf-8';
}
