import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { HTTPError } from 'h3';

const DECODERS: Readonly<Record<string, typeof gunzip | undefined>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: inflate,
  br: brotliDecompress,
};

/**
 * Reads the body of a request as text, decompressed. The rest of a larger body is read and discarded until
 * the request times out: closed with bytes unread, the connection would be reset and the response might
 * be lost on its way (RFC 9112, section 9.6).
 *
 * @returns undefined if the body is larger than `maxBytes`
 * @throws {HTTPError} 400 if the client left before its end or it cannot be decompressed, 415 if its
 *   Content-Encoding is unknown
 */
export async function readBody(request: Request, maxBytes: number): Promise<string | undefined> {
  const { headers } = request;
  const length = headers.get('content-length');
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() || 'identity';
  const decode = DECODERS[encoding];
  if (!decode && encoding !== 'identity') {
    throw new HTTPError({ status: 415, message: 'Content-Encoding must be gzip, deflate or br' });
  }
  if (Number(length) > maxBytes) return undefined; // Node discards a body that nobody asks for
  try {
    if (length !== null && !decode) return await request.text();
    const bytes = await readStream(request.body, maxBytes);
    if (!decode || !bytes) return bytes?.toString();
    return (await promisify(decode)(bytes, { maxOutputLength: maxBytes })).toString();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw new HTTPError({ status: 400, message: 'the body is incomplete or damaged', cause });
  }
}

async function readStream(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Buffer | undefined> {
  if (!body) return Buffer.alloc(0);
  const bytes = await collect(body.values({ preventCancel: true }), maxBytes);
  // The copy fails if the client leaves; by then it has the response.
  if (!bytes) body.pipeTo(new WritableStream()).catch(() => {});
  return bytes;
}

/** Joins the chunks of a body; returns undefined, and reads no further, if they are longer than `maxBytes`. */
export async function collect(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const collected: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxBytes) return undefined;
    collected.push(chunk);
  }
  return Buffer.concat(collected, length);
}
