import process from 'node:process';

// Checks the sidecar of this container, because the image has no curl.
const port = process.env.PORT?.trim() || '4321';
try {
  const signal = AbortSignal.timeout(2_000);
  const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`, { signal });
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
