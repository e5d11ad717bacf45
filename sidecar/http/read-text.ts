import { HTTPError } from 'h3';

/**
 * The body of a request as text; undefined when it is larger, however large it is.
 *
 * @throws {HTTPError} 400 when the client left in the middle
 */
export async function readText(request: Request, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return undefined;
  if (!request.body) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > maxBytes) return undefined;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new HTTPError({ status: 400, message: 'the body did not arrive whole', cause });
  }
  return Buffer.concat(chunks).toString();
}
