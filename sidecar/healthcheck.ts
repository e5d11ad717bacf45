import process from 'node:process';

// Whether the sidecar of this container answers: the image has no curl.
const { PORT = '4321' } = process.env;
try {
  const signal = AbortSignal.timeout(2_000);
  const { ok } = await fetch(`http://127.0.0.1:${PORT}/healthz`, { signal });
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
