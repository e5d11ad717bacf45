import { JSON_TYPE } from '../../src/paths.ts';
import { respond } from './responses.ts';

/** What one part of the service says of itself; `ok: false` takes the process out of service. */
export interface Check {
  ok: boolean;
  [detail: string]: unknown;
}

export type Checks = Readonly<Record<string, () => Check | Promise<Check>>>;

/** A part that does not answer is not ready. */
const CHECK_MS = 2_000;

/** `GET /healthz`: the process answers. */
export function serveHealth(): Response {
  return answer(200, { ok: true });
}

/** `GET /readyz`: whether every part can do its work, and what it says; 503 where one cannot. */
export async function serveReadiness(checks: Checks): Promise<Response> {
  const parts = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await within(check)] as const),
  );
  const ok = parts.every(([, part]) => part.ok);
  return answer(ok ? 200 : 503, { ok, ...Object.fromEntries(parts) });
}

async function within(check: Checks[string]): Promise<Check> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Check>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, reason: 'no answer' }), CHECK_MS);
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    return { ok: false, reason: 'failed' };
  } finally {
    clearTimeout(timer);
  }
}

function answer(status: number, body: object): Response {
  const bytes = Buffer.from(`${JSON.stringify(body)}\n`);
  const length = String(bytes.length);
  return respond(
    status,
    [
      ['content-type', JSON_TYPE],
      ['content-length', length],
      ['cache-control', 'no-store'],
    ],
    bytes,
  );
}
