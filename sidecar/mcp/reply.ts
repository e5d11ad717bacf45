import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { isEncoded, type Result } from './result.ts';

/** What revision 2026-07-28 adds to every result; members of the result win. */
export type Additions = Readonly<Record<string, unknown>>;

/** The bytes of a JSON-RPC response with this result. */
export function encodeResult(id: RequestId, result: Result, additions?: Additions): Buffer {
  const open = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  if (!isEncoded(result)) {
    return Buffer.from(`${open}${JSON.stringify({ ...additions, ...result })}}`);
  }
  const added = additions ? `${JSON.stringify(additions).slice(1, -1)},` : '';
  return result.encode(`${open}{${added}`, '}}');
}

/** A JSON-RPC error; `id` null where the request had none that could be read. */
export function encodeError(
  id: RequestId | null,
  code: number,
  message: string,
  data?: unknown,
): Buffer {
  const error = { code, message, ...(data !== undefined && { data }) };
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error }));
}
