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
