import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join, resolve } from 'node:path';

const dataDir = resolve(process.env.DATA_DIR || '.data');
try {
  // What is in it is for this program alone; a folder that is there keeps its mode.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // Compiled code is kept beside the data, so that only the first start compiles. It must be turned
  // on before the modules that are to be kept are loaded.
  enableCompileCache(join(dataDir, 'compile-cache'));
  const { start } = await import('./start.ts');
  await start();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1); // also where one port was opened before another could not be
}
