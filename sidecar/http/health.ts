import { CACHE_NOTHING, SECURITY_HEADERS } from '../../src/http.ts';
import { JSON_TYPE } from '../../src/paths.ts';
import { withDeadline } from '../base/deadline.ts';
import { jsonResponse } from './responses.ts';

/** State of one part of the service; `ok: false` takes the process out of service. */
export interface Check {
  ok: boolean;
  [detail: string]: unknown;
}

export type Checks = Readonly<Record<string, () => Check | Promise<Check>>>;

/** Time for a part to answer before it counts as not ready. */
const CHECK_MS = 2_000;

/** A probe is of no use to other sites, so they may not read it. */
const HEADERS = {
  'content-type': JSON_TYPE,
  'cache-control': CACHE_NOTHING,
  ...SECURITY_HEADERS,
};

/** Serves `GET /healthz`: the process responds. */
export function serveHealth(): Response {
  return jsonResponse(200, { ok: true }, HEADERS);
}

/** Serves `GET /readyz`: the state of every part, with 503 if one cannot do its work. */
export async function serveReadiness(checks: Checks): Promise<Response> {
  const parts = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await within(check)] as const),
  );
  const ok = parts.every(([, part]) => part.ok);
  return jsonResponse(ok ? 200 : 503, { ok, ...Object.fromEntries(parts) }, HEADERS);
}

async function within(check: Checks[string]): Promise<Check> {
  const failed = { ok: false, reason: 'failed' };
  const answer = () => Promise.try(check).catch(() => failed);
  return withDeadline(CHECK_MS, 'late', answer).catch(() => ({ ok: false, reason: 'no answer' }));
}
