import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join, resolve } from 'node:path';

// Otherwise the first process of a container would not end before the port is open.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));

// JavaScript, because Node loads its compiler of types for any file that is not in the cache yet, and
// that takes longer than starting Node itself.

const [, , argument] = process.argv;
if (argument !== undefined) {
  const serve = `${process.env.REVIEWS_COMMAND ?? 'npm run'} serve`;
  const isHelp = argument === '--help';
  (isHelp ? process.stdout : process.stderr).write(
    `usage: ${serve}, with settings in the environment: PORT=8080 ${serve}\n`,
  );
  process.exit(isHelp ? 0 : 2);
}
const dataDir = resolve(process.env.DATA_DIR?.trim() || '.data');
try {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
} catch (error) {
  process.stderr.write(`DATA_DIR ${dataDir}: ${error.message}\n`);
  process.exit(1);
}
try {
  // Compiled code is cached beside the data, so that only the first start compiles. The cache must be
  // on before the modules to be cached are loaded.
  enableCompileCache(process.env.NODE_COMPILE_CACHE || join(dataDir, 'compile-cache'));
  const { start } = await import('./start.ts');
  await start();
} catch (error) {
  const { asCalled } = await import('../src/run-command.ts');
  process.stderr.write(`${asCalled(error.message)}\n`);
  process.exit(1); // also if one port is already open and another failed
}
