import { HTTPError } from 'h3';

/**
 * The body of a request as text; undefined when it is larger, however large it is. The rest is then
 * read and thrown away, as long as the server lets a request take: closed with bytes unread, the
 * connection would be reset, and the answer lost on its way (RFC 9112, section 9.6).
 *
 * @throws {HTTPError} 400 when the client left in the middle
 */
export async function readText(request: Request, maxBytes: number): Promise<string | undefined> {
  const length = request.headers.get('content-length');
  if (Number(length) > maxBytes) return undefined; // Node discards what nobody began to read
  try {
    return length === null ? await readStream(request.body, maxBytes) : await request.text();
  } catch (cause) {
    throw new HTTPError({ status: 400, message: 'the body did not arrive whole', cause });
  }
}

async function readStream(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<string | undefined> {
  if (!body) return '';
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks).toString();
    size += value.length;
    if (size > maxBytes) {
      void discard(reader);
      return undefined;
    }
    chunks.push(value);
  }
}

async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The client left; it has its answer.
  }
}
