import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { SerializedResult, type Result } from './result.ts';

/** What revision 2026-07-28 adds to every result; members of the result win. */
export type Additions = Readonly<Record<string, unknown>>;

/** The bytes of a JSON-RPC response with this result. */
export function encodeResult(id: RequestId, result: Result, additions: Additions = {}): Buffer {
  const open = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  if (!(result instanceof SerializedResult)) {
    return Buffer.from(`${open}${JSON.stringify({ ...additions, ...result })}}`);
  }
  const added = Object.keys(additions).length > 0 ? JSON.stringify(additions).slice(1, -1) : '';
  const head = `${open}{${added}${added && ','}`;
  const { json } = result;
  const headLength = Buffer.byteLength(head);
  const reply = Buffer.allocUnsafe(headLength + json.length);
  reply.write(head);
  json.copy(reply, headLength, 1);
  reply.write('}', reply.length - 1, 'latin1');
  return reply;
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
