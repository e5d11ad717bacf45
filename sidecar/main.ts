import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';

// Compiled code is kept beside the data, so that only the first start compiles. It must be turned
// on before the modules that are to be kept are loaded.
enableCompileCache(resolve(process.env.DATA_DIR || '.data', 'compile-cache'));
const { start } = await import('./start.ts');

try {
  await start();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1); // also where one port was opened before another could not be
}
